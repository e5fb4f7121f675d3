import JSONKit

/// The header of a regular file in a tar archive (POSIX.1-2017, pax, "ustar Interchange Format").
///
/// Only the name, the size and the checksum vary. The owner and the time are always 0, and the mode is always 0644.
/// ``TarReader`` compares all bytes of the header, so the names and contents of files are the only information in a
/// bundle.
enum TarHeader {
  static let blockSize = 512
  /// The largest number of bytes in the last part of a name.
  static let longestName = 100

  /// The largest number of bytes in the part of a name before the last `/`.
  static let longestFolder = 155

  /// Whether a bundle may contain a file with this name: a fixed name such as `run.jsonl`, a file directly in
  /// `evidence`, or a file anywhere below `pack`.
  static func isName(_ name: String) -> Bool {
    if BundleName.fixed.contains(name) { return true }
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count > 1, parts.allSatisfy(isPart), let last = parts.last, last.count <= longestName,
      name.utf8.count - last.count - 1 <= longestFolder
    else { return false }
    return name.hasPrefix(BundleName.pack) || parts.count == 2 && name.hasPrefix(BundleName.evidence)
  }

  private static func isPart(_ part: Substring.UTF8View.SubSequence) -> Bool {
    part.first.map { $0 != UInt8(ascii: ".") } == true
      && part.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "-_@[]%.".utf8.contains(byte)
      }
  }

  /// The header of a file.
  static func bytes(name: String, size: Int) -> [UInt8] {
    let slash = name.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { String(name[..<$0]) } ?? ""
    let last = slash.map { String(name[name.utf8.index(after: $0)...]) } ?? name
    var header = [UInt8](repeating: 0, count: blockSize)
    func put(_ text: String, at place: Int) { header.replaceSubrange(place..<place + text.utf8.count, with: text.utf8) }
    put(last, at: 0)
    put("0000644", at: 100)
    put("0000000", at: 108)
    put("0000000", at: 116)
    put(octal(size, digits: 11), at: 124)
    put(octal(0, digits: 11), at: 136)
    put("        ", at: 148)
    put("0", at: 156)
    put("ustar", at: 257)
    put("00", at: 263)
    put("0000000", at: 329)
    put("0000000", at: 337)
    put(folder, at: 345)
    let sum = header.reduce(0) { $0 + Int($1) }
    put(octal(sum, digits: 6) + "\0 ", at: 148)
    return header
  }

  /// Reads the size of the file from a header, in bytes; nil if the field is not an octal number.
  static func size(_ header: [UInt8]) -> Int? {
    let digits = header[124..<135]
    guard digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }
  }

  /// Reads the name from a header. Error messages contain it.
  static func name(_ header: [UInt8]) -> String {
    func text(_ range: Range<Int>) -> String { String(decoding: header[range].prefix { $0 != 0 }, as: UTF8.self) }
    let folder = text(345..<500)
    return folder.isEmpty ? text(0..<100) : folder + "/" + text(0..<100)
  }

  private static func octal(_ value: Int, digits: Int) -> String {
    let text = String(value, radix: 8)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}

/// The names of the files of a bundle, in the order of their bytes.
package enum BundleName {
  /// The signed statement.
  package static let certificate = "certificate.dsse.json"
  /// The challenge from which the run took its seed.
  package static let challenge = "challenge.json"
  package static let evidence = "evidence/"
  /// The findings about the repository, with the attestations.
  package static let findings = "findings.json"
  /// The files of the protocol, if the kit does not contain the protocol.
  package static let pack = "pack/"
  package static let record = "run.jsonl"
  /// The signed statement that contains the result in in-toto's format `test-result`.
  package static let testResult = "test-result.dsse.json"

  static let fixed: Set<String> = [certificate, challenge, findings, record, testResult]
}
