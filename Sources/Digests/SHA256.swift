import COpenSSL

/// SHA-256 (FIPS 180-4) over bytes that come piece by piece.
///
/// It is a value type: adding bytes to a copy does not change the original. A digest may be taken at any time.
package struct SHA256: Sendable {
  /// The number of bytes in a digest.
  package static let byteCount = 32

  /// OpenSSL's state. The state is changed only while a single value refers to it, so that sharing the state among
  /// tasks is safe.
  private final class State: @unchecked Sendable {
    let pointer: OpaquePointer

    init(copying other: State? = nil) {
      guard let made = EVP_MD_CTX_new() else { fatalError("no memory for a digest") }
      pointer = made
      let isReady =
        if let other { EVP_MD_CTX_copy_ex(made, other.pointer) } else {
          EVP_DigestInit_ex(made, EVP_sha256(), nil)
        }
      precondition(isReady == 1, "OpenSSL has no SHA-256")
    }

    deinit { EVP_MD_CTX_free(pointer) }
  }

  private var state = State()

  package init() {}

  /// The digest of bytes.
  package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finalize()
  }

  /// Adds bytes to the hashed data.
  package mutating func update(_ bytes: some Sequence<UInt8>) {
    if !isKnownUniquelyReferenced(&state) { state = State(copying: state) }
    let pointer = state.pointer
    let isTaken: Void? = bytes.withContiguousStorageIfAvailable {
      _ = EVP_DigestUpdate(pointer, $0.baseAddress, $0.count)
    }
    if isTaken == nil { Array(bytes).withUnsafeBytes { _ = EVP_DigestUpdate(pointer, $0.baseAddress, $0.count) } }
  }

  /// The digest of all bytes that were added so far. More bytes may follow.
  package func finalize() -> [UInt8] {
    let end = State(copying: state)
    return [UInt8](unsafeUninitializedCapacity: Self.byteCount) { bytes, count in
      EVP_DigestFinal_ex(end.pointer, bytes.baseAddress, nil)
      count = Self.byteCount
    }
  }
}

extension [UInt8] {
  /// Two lower-case hexadecimal digits for each byte, as ASCII.
  package var hexadecimal: [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * count)
    for byte in self {
      digits.append(Self.digit(byte >> 4))
      digits.append(Self.digit(byte & 0xF))
    }
    return digits
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x61 - 10 + value }
}
