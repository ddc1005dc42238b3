#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <curl/curl.h>

/* libcurl's option calls are variadic, which Swift cannot import: one function per argument type. */
CURLcode gk_easy_set_long(CURL *handle, CURLoption option, long value);

#endif
