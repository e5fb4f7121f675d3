#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>

// Functions for the parts of OpenSSL that are macros, or that have types which Swift cannot refer to.

/// Requires TLS 1.2 or newer, and disables the resumption of sessions. So each connection shows how a client judges a
/// certificate.
static inline int copenssl_restrict(SSL_CTX *settings) {
  SSL_CTX_set_options(settings, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_session_cache_mode(settings, SSL_SESS_CACHE_OFF);
  return SSL_CTX_set_num_tickets(settings, 0) && SSL_CTX_set_min_proto_version(settings, TLS1_2_VERSION);
}

static inline long copenssl_tell_name(SSL *session, const char *name) {
  return SSL_set_tlsext_host_name(session, name);
}

/// Lets OpenSSL search the system's folder of certificates, in which a digest of the subject's name is the file name.
static inline int copenssl_look_into_default_folder(X509_STORE *store) {
  X509_LOOKUP *lookup = X509_STORE_add_lookup(store, X509_LOOKUP_hash_dir());
  return lookup != NULL && X509_LOOKUP_add_dir(lookup, NULL, X509_FILETYPE_DEFAULT);
}

/// Reads the certificates in a file; with NULL, those in the system's default file.
static inline int copenssl_read_file(X509_LOOKUP *lookup, const char *file) {
  return X509_LOOKUP_load_file(lookup, file, file == NULL ? X509_FILETYPE_DEFAULT : X509_FILETYPE_PEM);
}

static inline EVP_PKEY *copenssl_new_key(void) { return EVP_EC_gen("P-256"); }

/// A new Ed25519 key (RFC 8032).
static inline EVP_PKEY *copenssl_new_signing_key(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"); }

/// Whether a key is an Ed25519 key.
static inline int copenssl_is_signing_key(const EVP_PKEY *key) { return EVP_PKEY_is_a(key, "ED25519"); }

/// A passphrase that is passed to OpenSSL, which would otherwise ask for one at the terminal.
struct copenssl_passphrase {
  const unsigned char *bytes;
  int count;
};

static inline int copenssl_give_passphrase(char *space, int size, int writing, void *data) {
  const struct copenssl_passphrase *given = (const struct copenssl_passphrase *)data;
  (void)writing;
  if (given == NULL || given->bytes == NULL || given->count == 0 || given->count > size) return -1;
  memcpy(space, given->bytes, (size_t)given->count);
  return given->count;
}

/// Reads a private key, with a passphrase if there is one.
static inline EVP_PKEY *copenssl_read_private_key(BIO *memory, const unsigned char *passphrase, int count) {
  struct copenssl_passphrase given = {passphrase, count};
  return PEM_read_bio_PrivateKey(memory, NULL, copenssl_give_passphrase, &given);
}

/// Writes a private key that a passphrase encrypts, with the number of rounds that OWASP recommends.
static inline int copenssl_write_locked_key(BIO *memory, EVP_PKEY *key, const unsigned char *passphrase, int count) {
  PKCS8_PRIV_KEY_INFO *plain = EVP_PKEY2PKCS8(key);
  X509_ALGOR *method = PKCS5_pbe2_set_iv(EVP_aes_256_cbc(), 600000, NULL, 0, NULL, NID_hmacWithSHA256);
  X509_SIG *locked = NULL;
  if (plain != NULL && method != NULL) locked = PKCS8_set0_pbe((const char *)passphrase, count, plain, method);
  if (locked == NULL) X509_ALGOR_free(method);
  PKCS8_PRIV_KEY_INFO_free(plain);
  int written = locked != NULL && PEM_write_bio_PKCS8(memory, locked);
  X509_SIG_free(locked);
  return written;
}

static inline EVP_PKEY *copenssl_read_public_key(BIO *memory) {
  return PEM_read_bio_PUBKEY(memory, NULL, copenssl_give_passphrase, NULL);
}

/// The number of bytes in a buffer; `bytes` then points to them.
static inline long copenssl_content(BIO *memory, char **bytes) { return BIO_get_mem_data(memory, bytes); }

/// Adds an extension that OpenSSL can make from a text.
static inline int copenssl_extend(X509 *certificate, X509 *issuer, int kind, const char *words) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, words);
  if (extension == NULL) return 0;
  int added = X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
  return added;
}

/// Adds a value to the names, and takes ownership of the value.
static inline int copenssl_push(GENERAL_NAMES *names, int kind, ASN1_STRING *value) {
  GENERAL_NAME *name = GENERAL_NAME_new();
  GENERAL_NAME_set0_value(name, kind, value);
  return sk_GENERAL_NAME_push(names, name);
}

/// Adds the subject's names to a certificate: a host name and, if there is one, an IP address. OpenSSL does not parse
/// either as configuration text.
static inline int copenssl_add_subject(
    X509 *certificate, const char *name, const unsigned char *address, int address_length) {
  GENERAL_NAMES *names = sk_GENERAL_NAME_new_null();
  ASN1_STRING *text = ASN1_STRING_type_new(V_ASN1_IA5STRING);
  ASN1_STRING_set(text, name, -1);
  copenssl_push(names, GEN_DNS, text);
  if (address_length > 0) {
    ASN1_STRING *octets = ASN1_STRING_type_new(V_ASN1_OCTET_STRING);
    ASN1_STRING_set(octets, address, address_length);
    copenssl_push(names, GEN_IPADD, octets);
  }
  int added = X509_add1_ext_i2d(certificate, NID_subject_alt_name, names, 0, 0);
  sk_GENERAL_NAME_pop_free(names, GENERAL_NAME_free);
  return added;
}

#endif
