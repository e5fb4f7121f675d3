import COpenSSL
import Digests

/// A private key for Ed25519 (RFC 8032). Only ``pem`` and ``pem(lockedWith:)`` reveal its bytes.
package struct SigningKey: Sendable {
  private let key: KeyHandle

  /// A new key from the system's random source.
  package init() throws(KeyProblem) {
    guard let pointer = copenssl_new_signing_key() else { throw KeyProblem("OpenSSL has no Ed25519") }
    key = KeyHandle(pointer)
  }

  /// Reads a private key in PEM with PKCS#8 (RFC 5958). An encrypted key needs a passphrase: OpenSSL does not ask for
  /// it at the terminal. For a key that is not encrypted, `passphrase` must be nil.
  package init(pem: [UInt8], passphrase: Passphrase? = nil) throws(KeyProblem) {
    let isPublic = String(decoding: pem, as: UTF8.self).contains("BEGIN PUBLIC KEY")
    if isPublic { throw KeyProblem("expected a private key, found a public key: name the file of 'conform key new'") }
    let isLocked = Self.isLocked(pem: pem)
    if isLocked, passphrase == nil {
      throw KeyProblem("the key has a passphrase: name its file with --passphrase-file")
    }
    if !isLocked, passphrase != nil { throw KeyProblem("the key has no passphrase: leave out --passphrase-file") }
    let bytes = passphrase?.bytes ?? []
    let pointer = bytes.withUnsafeBufferPointer { space in
      pem.withMemory { copenssl_read_private_key($0, space.baseAddress, Int32(space.count)) }
    }
    guard pointer != nil || !isLocked else {
      ERR_clear_error()
      throw KeyProblem("the passphrase does not fit the key, or the key is damaged")
    }
    key = try KeyHandle.signing(pointer, "a private key in PEM (PKCS#8, Ed25519)")
  }

  /// Whether a private key in PEM is encrypted.
  package static func isLocked(pem: [UInt8]) -> Bool {
    let text = String(decoding: pem, as: UTF8.self)
    return text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED")
  }

  /// The size of a signature, in bytes.
  package static let signatureSize = 64

  /// The key as PEM with PKCS#8, without encryption.
  package var pem: [UInt8] {
    KeyHandle.bytes { PEM_write_bio_PKCS8PrivateKey($0, key.pointer, nil, nil, 0, nil, nil) }
  }

  /// The key as PEM with PKCS#8, encrypted with AES-256 under PBKDF2 with 600,000 rounds of HMAC-SHA-256 (RFC 8018).
  package func pem(lockedWith passphrase: Passphrase) throws(KeyProblem) -> [UInt8] {
    let pem = KeyHandle.bytes { memory in
      passphrase.bytes.withUnsafeBufferPointer { space in
        copenssl_write_locked_key(memory, key.pointer, space.baseAddress, Int32(space.count))
      }
    }
    guard !pem.isEmpty else { throw KeyProblem("OpenSSL could not encrypt the key") }
    return pem
  }

  /// The public key that belongs to this private key.
  package var publicKey: VerificationKey { VerificationKey(key) }

  /// The signature of a message, 64 bytes.
  package func signature(of message: [UInt8]) throws(KeyProblem) -> [UInt8] {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: Self.signatureSize)
    var count = signature.count
    guard EVP_DigestSignInit(context, nil, nil, nil, key.pointer) == 1,
      EVP_DigestSign(context, &signature, &count, message, message.count) == 1, count == signature.count
    else { throw KeyProblem("OpenSSL could not sign") }
    return signature
  }
}

/// A public key for Ed25519.
package struct VerificationKey: Sendable {
  private let key: KeyHandle

  fileprivate init(_ key: KeyHandle) { self.key = key }

  /// Reads PEM with a SubjectPublicKeyInfo (RFC 8410).
  package init(pem: [UInt8]) throws(KeyProblem) {
    let isPrivate = String(decoding: pem, as: UTF8.self).contains("PRIVATE KEY")
    if isPrivate {
      throw KeyProblem("expected a public key, found a private key: make the public one with 'conform key public'")
    }
    let pointer = pem.withMemory { copenssl_read_public_key($0) }
    key = try KeyHandle.signing(pointer, "a public key in PEM (Ed25519)")
  }

  /// The key as PEM with a SubjectPublicKeyInfo.
  package var pem: [UInt8] { KeyHandle.bytes { PEM_write_bio_PUBKEY($0, key.pointer) } }

  /// The id of the key: the SHA-256 of its SubjectPublicKeyInfo in DER.
  package var id: String {
    let der = KeyHandle.bytes { i2d_PUBKEY_bio($0, key.pointer) }
    return "sha256:" + String(decoding: SHA256.hash(der).hexadecimal, as: UTF8.self)
  }

  /// Whether the private key that belongs to this public key made the signature for this message.
  package func accepts(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    let context = EVP_MD_CTX_new()
    defer {
      EVP_MD_CTX_free(context)
      ERR_clear_error()
    }
    return EVP_DigestVerifyInit(context, nil, nil, nil, key.pointer) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }
}

/// The reason why a key cannot be used, as a sentence. It contains no part of a key.
package struct KeyProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  init(_ description: String) { self.description = description }
}

/// An OpenSSL key. It never changes, so any thread may use it.
private final class KeyHandle: @unchecked Sendable {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { EVP_PKEY_free(pointer) }

  /// Takes ownership of a key that OpenSSL has read. Throws if it is not a key for Ed25519.
  static func signing(_ pointer: OpaquePointer?, _ expected: String) throws(KeyProblem) -> KeyHandle {
    ERR_clear_error()
    guard let pointer else { throw KeyProblem("expected \(expected), found something else") }
    let key = KeyHandle(pointer)
    guard copenssl_is_signing_key(pointer) == 1 else {
      throw KeyProblem("expected \(expected), found a key of another kind: make one with 'conform key new'")
    }
    return key
  }

  /// Calls the closure with an empty OpenSSL buffer, and returns the bytes that OpenSSL has written to the buffer.
  static func bytes(_ write: (OpaquePointer?) -> Int32) -> [UInt8] {
    let memory = BIO_new(BIO_s_mem())
    defer { BIO_free(memory) }
    var start: UnsafeMutablePointer<CChar>?
    guard write(memory) == 1, case let count = copenssl_content(memory, &start), let start else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}

extension [UInt8] {
  /// Calls the closure with an OpenSSL buffer that contains these bytes.
  fileprivate func withMemory(_ read: (OpaquePointer?) -> OpaquePointer?) -> OpaquePointer? {
    withUnsafeBytes { bytes in
      let memory = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
      defer { BIO_free(memory) }
      return read(memory)
    }
  }
}
