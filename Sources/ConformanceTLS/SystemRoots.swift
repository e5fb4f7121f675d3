import COpenSSL
import Glibc
import Synchronization

/// Adds the certificates that the system trusts to the certificate store in a client's settings.
///
/// OpenSSL reads certificates in a folder one by one when it needs them. It can read a file with certificates only as a
/// whole, which takes longer than the whole run of some programs. So the file is read only if the issuer of a
/// certificate cannot be found without it.
final class SystemRoots: Sendable {
  /// The part of the store that reads files with certificates. OpenSSL lets any thread use it.
  private nonisolated(unsafe) let reader: OpaquePointer?
  /// A file with the system's roots at a path at which OpenSSL does not search; nil if OpenSSL finds the roots by
  /// itself.
  private let file: String?
  private let isFileRead = Mutex(false)

  /// Adds the roots to a store. The store must not exist longer than this object. It must not be in use yet, because a
  /// store cannot get further sources after its first use.
  init(for store: OpaquePointer, in file: String?) {
    self.file = file
    reader = X509_STORE_add_lookup(store, X509_LOOKUP_file())
    _ = copenssl_look_into_default_folder(store)
    X509_STORE_set_ex_data(store, Self.slot, Unmanaged.passUnretained(self).toOpaque())
    X509_STORE_set_get_issuer(store) { issuer, verification, certificate in
      let found = X509_STORE_CTX_get1_issuer(issuer, verification, certificate)
      if found != 0 { return found }
      SystemRoots.of(X509_STORE_CTX_get0_store(verification))?.readFile()
      return X509_STORE_CTX_get1_issuer(issuer, verification, certificate)
    }
  }

  /// The index in the store's application data at which it contains a pointer to this object. OpenSSL reserves this
  /// index for applications.
  private static let slot: Int32 = 0

  private static func of(_ store: OpaquePointer?) -> SystemRoots? {
    X509_STORE_get_ex_data(store, slot).map { Unmanaged<SystemRoots>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Reads the file the first time it is called. Concurrent callers wait.
  private func readFile() {
    isFileRead.withLock { isRead in
      if isRead { return }
      isRead = true
      // A missing file is not an error of the handshake.
      ERR_set_mark()
      _ = copenssl_read_file(reader, nil)
      if let file { _ = copenssl_read_file(reader, file) }
      ERR_pop_to_mark()
    }
  }

  /// A file with the system's roots, if no path exists that was compiled into OpenSSL; otherwise nil. Without such a
  /// path, OpenSSL finds roots only through `SSL_CERT_FILE` and `SSL_CERT_DIR`.
  static var fileElsewhere: String? {
    let own = [X509_get_default_cert_file(), X509_get_default_cert_dir()].compactMap { $0.map { String(cString: $0) } }
    return own.contains(where: isThere) ? nil : files.first(where: isThere)
  }

  private static func isThere(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// The paths of the files in which distributions store their trusted roots.
  private static let files = [
    "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Alpine
    "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL
    "/etc/ssl/ca-bundle.pem",  // openSUSE
    "/etc/ssl/cert.pem",
  ]
}
