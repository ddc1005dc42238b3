#define _POSIX_C_SOURCE 200809L
#include "CBareCurl.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    CURL *easy;
    uint64_t started;
    char *answer;
    size_t length;
    size_t room;
} bare_call;

struct gk_bare_loop {
    CURLM *multi;
    struct curl_slist *lines;
    char *body;
    long expected_status;
    size_t in_flight;
    bare_call *calls;
};

static uint64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
    bare_call *call = context;
    size_t length = size * count;
    if (call->room - call->length < length) {
        size_t room = call->room * 2 + length;
        char *grown = realloc(call->answer, room);
        if (grown == NULL) return 0;
        call->answer = grown;
        call->room = room;
    }
    memcpy(call->answer + call->length, bytes, length);
    call->length += length;
    return length;
}

static int set_up(gk_bare_loop *loop, bare_call *call, const char *url, size_t body_length) {
    call->easy = curl_easy_init();
    if (call->easy == NULL) return 0;
    CURL *easy = call->easy;
    return curl_easy_setopt(easy, CURLOPT_URL, url) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_PROXY, "") == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_HTTPHEADER, loop->lines) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body_length) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_POST, 1L) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_POSTFIELDS, loop->body) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_WRITEDATA, call) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_PRIVATE, call) == CURLE_OK;
}

gk_bare_loop *gk_bare_loop_new(const char *url, const char *const *header_lines, size_t header_count, const void *body,
                               size_t body_length, size_t in_flight, long expected_status) {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return NULL;
    gk_bare_loop *loop = calloc(1, sizeof *loop);
    if (loop == NULL) return NULL;
    loop->expected_status = expected_status;
    loop->in_flight = in_flight;
    loop->multi = curl_multi_init();
    loop->body = malloc(body_length + 1);
    loop->calls = calloc(in_flight, sizeof *loop->calls);
    if (loop->multi == NULL || loop->body == NULL || loop->calls == NULL) goto failed;
    memcpy(loop->body, body, body_length);
    for (size_t index = 0; index < header_count; index++) {
        struct curl_slist *grown = curl_slist_append(loop->lines, header_lines[index]);
        if (grown == NULL) goto failed;
        loop->lines = grown;
    }
    curl_multi_setopt(loop->multi, CURLMOPT_MAXCONNECTS, (long)in_flight);
    for (size_t index = 0; index < in_flight; index++) {
        if (!set_up(loop, &loop->calls[index], url, body_length)) goto failed;
    }
    return loop;
failed:
    gk_bare_loop_free(loop);
    return NULL;
}

void gk_bare_loop_free(gk_bare_loop *loop) {
    if (loop == NULL) return;
    for (size_t index = 0; loop->calls != NULL && index < loop->in_flight; index++) {
        curl_easy_cleanup(loop->calls[index].easy);
        free(loop->calls[index].answer);
    }
    if (loop->multi != NULL) curl_multi_cleanup(loop->multi);
    curl_slist_free_all(loop->lines);
    free(loop->calls);
    free(loop->body);
    free(loop);
}

static int start(gk_bare_loop *loop, bare_call *call) {
    call->length = 0;
    call->started = now_ns();
    return curl_multi_add_handle(loop->multi, call->easy) == CURLM_OK;
}

gk_bare_result gk_bare_loop_run(gk_bare_loop *loop, uint64_t duration_ns, uint64_t *latency_ns, size_t room) {
    gk_bare_result result = {0};
    uint64_t end = now_ns() + duration_ns;
    size_t under_way = 0;
    for (size_t index = 0; index < loop->in_flight; index++) {
        if (start(loop, &loop->calls[index])) under_way++;
    }
    while (under_way > 0) {
        int running = 0;
        if (curl_multi_perform(loop->multi, &running) != CURLM_OK) break;
        CURLMsg *message;
        int left = 0;
        size_t ended = 0;
        while ((message = curl_multi_info_read(loop->multi, &left)) != NULL) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL *easy = message->easy_handle;
            CURLcode code = message->data.result;
            bare_call *call = NULL;
            long status = 0;
            long connections = 0;
            curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&call);
            curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
            curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &connections);
            curl_multi_remove_handle(loop->multi, easy);
            uint64_t now = now_ns();
            if (code == CURLE_OK && status == loop->expected_status) {
                result.exchanges++;
                if (result.latencies < room) latency_ns[result.latencies++] = now - call->started;
            } else {
                result.failures++;
            }
            result.answer_bytes += call->length;
            result.connections_opened += (uint64_t)connections;
            under_way--;
            ended++;
            if (now < end && code == CURLE_OK && start(loop, call)) under_way++;
        }
        if (under_way > 0 && ended == 0) curl_multi_poll(loop->multi, NULL, 0, 1000, NULL);
    }
    return result;
}
