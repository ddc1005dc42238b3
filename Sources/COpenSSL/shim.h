#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/decoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/objects.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* What OpenSSL 3 has as macros or with variable arguments, which Swift cannot import. */

static inline EVP_PKEY *gk_ec_p256_key(void) { return EVP_EC_gen("P-256"); }

static inline int gk_select_public(void) { return EVP_PKEY_PUBLIC_KEY; }

static inline int gk_select_pair(void) { return EVP_PKEY_KEYPAIR; }

/* The builder keeps the pointers to the names, so the names have to be C's. */
static inline int gk_push_rsa_public(OSSL_PARAM_BLD *builder, const BIGNUM *n, const BIGNUM *e) {
    return OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1;
}

static inline int gk_name_add(X509_NAME *name, const char *field, const char *text) {
    return X509_NAME_add_entry_by_txt(name, field, MBSTRING_ASC, (const unsigned char *)text, -1, -1, 0);
}

static inline int gk_set_versions(SSL_CTX *context, int least, int most) {
    return SSL_CTX_set_min_proto_version(context, least) == 1 && SSL_CTX_set_max_proto_version(context, most) == 1;
}

#endif
