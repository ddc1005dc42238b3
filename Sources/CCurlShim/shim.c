#include "CCurlShim.h"

CURLcode gk_easy_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
