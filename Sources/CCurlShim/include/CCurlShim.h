#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

/* libcurl's option calls are variadic, which Swift cannot import: one function per argument type. */
CURLcode gk_easy_set_long(CURL *handle, CURLoption option, long value);
CURLcode gk_easy_set_int64(CURL *handle, CURLoption option, int64_t value);
CURLcode gk_easy_set_pointer(CURL *handle, CURLoption option, const void *value);
CURLcode gk_easy_set_text(CURL *handle, CURLoption option, const char *value);
CURLMcode gk_multi_set_long(CURLM *multi, CURLMoption option, long value);

long gk_easy_get_long(CURL *handle, CURLINFO info);
int64_t gk_easy_get_int64(CURL *handle, CURLINFO info);
/* NULL when libcurl has no value. */
const char *gk_easy_get_text(CURL *handle, CURLINFO info);
void *gk_easy_get_private(CURL *handle);

/* CURLAUTH_BASIC, whose cast Swift does not import. */
static const long gk_auth_basic = 1;

typedef size_t (*gk_bytes_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*gk_before_request_callback)(void *context, char *remote_address, char *local_address, int remote_port,
                                          int local_port);

/* Sets the three callbacks and the pointer that each of them is given. */
CURLcode gk_easy_set_callbacks(CURL *handle, void *context, gk_bytes_callback head, gk_bytes_callback body,
                               gk_before_request_callback before_request);

/* The next finished handle and its result, or NULL. */
CURL *gk_multi_next_done(CURLM *multi, CURLcode *result);

/* Overwrites memory in a way that the optimizer may not remove. */
void gk_wipe(void *memory, size_t length);

/* Wipes each line and frees the list. */
void gk_wipe_and_free_list(struct curl_slist *list);

/* A streaming reader of gzip (RFC 1952), zlib (RFC 1950) and raw deflate (RFC 1951). */
typedef struct gk_inflater gk_inflater;

typedef enum {
    GK_INFLATE_MORE = 0,   /* all input was used, the stream goes on */
    GK_INFLATE_FULL = 1,   /* the output room is used up, call again */
    GK_INFLATE_END = 2,    /* the stream is complete */
    GK_INFLATE_BROKEN = 3, /* not a valid stream */
} gk_inflate_result;

typedef enum { GK_FORMAT_GZIP = 0, GK_FORMAT_ZLIB = 1, GK_FORMAT_RAW = 2 } gk_inflate_format;

/* NULL when there is no memory. */
gk_inflater *gk_inflater_new(gk_inflate_format format);
void gk_inflater_free(gk_inflater *inflater);
/* Starts a new stream of the same format: gzip allows several members in a row. */
int gk_inflater_restart(gk_inflater *inflater);
gk_inflate_result gk_inflate(gk_inflater *inflater, const uint8_t *input, size_t input_length, size_t *input_used,
                             uint8_t *output, size_t output_length, size_t *output_used);

#endif
