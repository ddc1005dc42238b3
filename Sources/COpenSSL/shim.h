#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* What OpenSSL 3 has as macros or with variable arguments, which Swift cannot import. */

static inline EVP_PKEY *gk_ec_p256_key(void) { return EVP_EC_gen("P-256"); }

static inline int gk_name_add(X509_NAME *name, const char *field, const char *text) {
    return X509_NAME_add_entry_by_txt(name, field, MBSTRING_ASC, (const unsigned char *)text, -1, -1, 0);
}

static inline int gk_set_versions(SSL_CTX *context, int least, int most) {
    return SSL_CTX_set_min_proto_version(context, least) == 1 && SSL_CTX_set_max_proto_version(context, most) == 1;
}

#endif
