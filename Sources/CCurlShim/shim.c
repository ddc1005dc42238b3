#define _DEFAULT_SOURCE
#include "CCurlShim.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

CURLcode gk_easy_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

CURLcode gk_easy_set_int64(CURL *handle, CURLoption option, int64_t value) {
    return curl_easy_setopt(handle, option, (curl_off_t)value);
}

CURLcode gk_easy_set_pointer(CURL *handle, CURLoption option, const void *value) {
    return curl_easy_setopt(handle, option, value);
}

CURLcode gk_easy_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

CURLMcode gk_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

long gk_easy_get_long(CURL *handle, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

int64_t gk_easy_get_int64(CURL *handle, CURLINFO info) {
    curl_off_t value = 0;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? (int64_t)value : 0;
}

const char *gk_easy_get_text(CURL *handle, CURLINFO info) {
    char *value = NULL;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : NULL;
}

void *gk_easy_get_private(CURL *handle) {
    char *value = NULL;
    return curl_easy_getinfo(handle, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

CURLcode gk_easy_set_callbacks(CURL *handle, void *context, gk_bytes_callback head, gk_bytes_callback body,
                               gk_before_request_callback before_request) {
    CURLcode result = curl_easy_setopt(handle, CURLOPT_PRIVATE, context);
    if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, head);
    if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
    if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
    if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, before_request);
    if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_PREREQDATA, context);
    return result;
}

CURL *gk_multi_next_done(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

void gk_wipe(void *memory, size_t length) {
    explicit_bzero(memory, length);
}

void gk_wipe_and_free_list(struct curl_slist *list) {
    for (struct curl_slist *item = list; item != NULL; item = item->next) {
        explicit_bzero(item->data, strlen(item->data));
    }
    curl_slist_free_all(list);
}

struct gk_inflater {
    z_stream stream;
};

gk_inflater *gk_inflater_new(gk_inflate_format format) {
    gk_inflater *inflater = calloc(1, sizeof *inflater);
    if (inflater == NULL) return NULL;
    int window = format == GK_FORMAT_RAW ? -MAX_WBITS : format == GK_FORMAT_ZLIB ? MAX_WBITS : MAX_WBITS + 16;
    if (inflateInit2(&inflater->stream, window) != Z_OK) {
        free(inflater);
        return NULL;
    }
    return inflater;
}

void gk_inflater_free(gk_inflater *inflater) {
    if (inflater == NULL) return;
    inflateEnd(&inflater->stream);
    free(inflater);
}

int gk_inflater_restart(gk_inflater *inflater) {
    return inflateReset(&inflater->stream) == Z_OK;
}

gk_inflate_result gk_inflate(gk_inflater *inflater, const uint8_t *input, size_t input_length, size_t *input_used,
                             uint8_t *output, size_t output_length, size_t *output_used) {
    uInt input_room = input_length > UINT_MAX ? UINT_MAX : (uInt)input_length;
    uInt output_room = output_length > UINT_MAX ? UINT_MAX : (uInt)output_length;
    z_stream *stream = &inflater->stream;
    stream->next_in = (Bytef *)input;
    stream->avail_in = input_room;
    stream->next_out = output;
    stream->avail_out = output_room;
    int status = inflate(stream, Z_NO_FLUSH);
    *input_used = input_room - stream->avail_in;
    *output_used = output_room - stream->avail_out;
    if (status == Z_STREAM_END) return GK_INFLATE_END;
    if (status != Z_OK && status != Z_BUF_ERROR) return GK_INFLATE_BROKEN;
    return stream->avail_out == 0 ? GK_INFLATE_FULL : GK_INFLATE_MORE;
}
