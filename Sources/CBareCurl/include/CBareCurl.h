#ifndef C_BARE_CURL_H
#define C_BARE_CURL_H

#include <stddef.h>
#include <stdint.h>

/* The yardstick of the benchmarks: what one exchange costs with libcurl and nothing around it. One loop over the multi
 * interface, one easy handle for each call in flight, set up once and sent again and again over kept connections. */
typedef struct gk_bare_loop gk_bare_loop;

typedef struct {
    uint64_t exchanges;          /* answers read to their end, with the expected status */
    uint64_t failures;           /* everything else */
    uint64_t answer_bytes;       /* body bytes of all answers */
    uint64_t connections_opened; /* for these exchanges */
    size_t latencies;            /* how many of `latency_ns` are filled */
} gk_bare_result;

/* A POST of `body` with these header lines (each "Name: value", or "Name:" for none of libcurl's own), sent by
 * `in_flight` handles. The texts are copied. NULL when libcurl or memory fails. */
gk_bare_loop *gk_bare_loop_new(const char *url, const char *const *header_lines, size_t header_count, const void *body,
                               size_t body_length, size_t in_flight, long expected_status);

/* Exchanges for `duration_ns`, then lets those that are under way end. Writes how long each exchange took, from handing
 * it to libcurl to its last byte, for the first `room` exchanges. */
gk_bare_result gk_bare_loop_run(gk_bare_loop *loop, uint64_t duration_ns, uint64_t *latency_ns, size_t room);

void gk_bare_loop_free(gk_bare_loop *loop);

#endif
