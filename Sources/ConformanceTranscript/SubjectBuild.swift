import JSONKit

/// The package and the files of an SDK under test, as its adapter reports them. A person who has a checkout of the SDK
/// can compare the digests of its files with these digests.
package struct SubjectBuild: Hashable, Sendable {
  /// The package as a package URL, such as `pkg:npm/acme-links@1.2.0`; nil if the adapter does not name a package.
  package var packageURL: String?
  /// The SHA-256 of each file in 64 lower-case hexadecimal digits, by the path of the file in its repository.
  package var files: [String: String]

  package init(packageURL: String? = nil, files: [String: String] = [:]) {
    self.packageURL = packageURL
    self.files = files
  }

  /// Whether the adapter names neither a package nor a file.
  package var isEmpty: Bool { packageURL == nil && files.isEmpty }
}

/// `{"package": "pkg:npm/acme-links@1.2.0", "files": {"src/index.js": "9f86…"}}`, where both members are optional.
extension SubjectBuild: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("package", packageURL)
    guard !files.isEmpty else { return }
    let sorted = files.sorted { $0.key < $1.key }
    members.add("files", JSON.object(JSON.Object(sorted.map { .init(key: $0.key, value: .string($0.value)) })))
  }

  /// Reads the members `package` and `files` of an object. Throws for a text that is not a package URL, for a path
  /// outside of the repository, and for a text that is not a SHA-256.
  package init(_ field: JSONField) throws(JSONField.Problem) {
    packageURL = try field.optional("package").map(Self.packageURL)
    files = [:]
    for member in try field.optional("files")?.members() ?? [] {
      guard Self.isInside(member.key) else {
        throw member.field.problem(expected: "a path inside the repository, such as src/index.js, as the key")
      }
      files[member.key] = try Self.digest(member.field)
    }
  }

  private static func packageURL(_ field: JSONField) throws(JSONField.Problem) -> String {
    let text = try field.string()
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard text.hasPrefix("pkg:"), parts.count > 1, parts.allSatisfy({ !$0.isEmpty }), parts[0].utf8.count > 4,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw field.problem(expected: "a package URL, such as pkg:npm/acme-links@1.2.0") }
    return text
  }

  private static func isInside(_ path: String) -> Bool {
    path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
  }

  private static func digest(_ field: JSONField) throws(JSONField.Problem) -> String {
    let text = try field.string()
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
    guard text.utf8.count == 64, text.utf8.allSatisfy(isDigit) else {
      throw field.problem(expected: "a SHA-256 in 64 lower-case hexadecimal digits")
    }
    return text
  }
}
