import JSONKit
import Templates

/// The list of the certificates in a registry. It also contains failed later runs and revocations.
package struct RegistryIndex: Hashable, Sendable {
  /// The withdrawal of a certificate before it expires, with the reason.
  package struct Revocation: Hashable, Sendable {
    package var reason: String
    package var date: Timestamp

    package init(reason: String, date: Timestamp) {
      self.reason = reason
      self.date = date
    }
  }

  /// The failures of the SDK or server in runs that were made after the certificate was issued.
  package struct Failing: Hashable, Sendable {
    /// The day of the first failed run after the last conformant run.
    package var since: Timestamp
    /// From this moment, the certificate no longer counts; nil if in this tier, failed runs never have this effect.
    package var relegated: Timestamp?
    /// The conclusion of the newest failed run, as a sentence.
    package var reason: String

    package init(since: Timestamp, relegated: Timestamp?, reason: String) {
      self.since = since
      self.relegated = relegated
      self.reason = reason
    }
  }

  /// A certificate in a registry.
  package struct Entry: Hashable, Sendable {
    /// The SHA-256 of the bundle, in hexadecimal digits.
    package var digest: String
    /// The SHA-256 of the certificate's statement, in hexadecimal digits. This digest identifies the certificate: a
    /// further signature changes the bundle, but not the statement.
    package var statement: String
    package var protocolName: String
    package var tier: String
    /// The participants, as `NAME VERSION`.
    package var subjects: [String]
    package var issued: Timestamp
    package var expires: Timestamp
    /// The moment until which the certificate counts although it has expired; nil if the tier has no days of grace.
    package var graceEnd: Timestamp?
    package var failing: Failing?
    package var revocation: Revocation?

    package init(
      digest: String, statement: String, protocolName: String, tier: String, subjects: [String], issued: Timestamp,
      expires: Timestamp, graceEnd: Timestamp? = nil
    ) {
      self.digest = digest
      self.statement = statement
      self.protocolName = protocolName
      self.tier = tier
      self.subjects = subjects
      self.issued = issued
      self.expires = expires
      self.graceEnd = graceEnd
    }

    /// The first 16 digits of the digest. Users name the certificate by this id.
    package var id: String { String(digest.prefix(16)) }
  }

  /// The state of a certificate at a moment.
  package enum Status: String, CaseIterable, Sendable {
    case valid
    /// The certificate is valid, but expires within ``reminderDays``.
    case expiring
    /// The certificate has expired, but still counts because its days of grace have not passed.
    case grace
    case expired
    /// Runs that were made after the issue of the certificate fail, but the certificate still counts.
    case failing
    /// Runs that were made after the issue of the certificate have failed for so long that the certificate no longer
    /// counts.
    case relegated
    case revoked
  }

  /// For this number of days before a certificate expires, its status is ``Status/expiring``.
  package static let reminderDays = 30

  package private(set) var entries: [Entry] = []

  package init() {}

  /// The entry of the certificate whose statement has this digest.
  package func entry(ofStatement digest: String) -> Entry? { entries.first { $0.statement == digest } }

  /// Adds an entry. The entries stay sorted by protocol, names of the subjects, and digest.
  package mutating func add(_ entry: Entry) {
    entries.append(entry)
    entries.sort { Self.order($0) < Self.order($1) }
  }

  private static func order(_ entry: Entry) -> (String, String, String) {
    (entry.protocolName, entry.subjects.joined(separator: " "), entry.digest)
  }

  /// Notes the result of a later run for the certificate with this id. `failing` is nil for a conformant run. Returns
  /// false if the id is unknown.
  package mutating func note(_ failing: Failing?, for id: String) -> Bool {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return false }
    var failing = failing
    if let earlier = entries[index].failing, failing != nil {
      failing?.since = earlier.since
      failing?.relegated = earlier.relegated
    }
    entries[index].failing = failing
    return true
  }

  /// Revokes the certificate with this id. Returns false if the id is unknown or the certificate is revoked already.
  package mutating func revoke(_ id: String, _ revocation: Revocation) -> Bool {
    guard let index = entries.firstIndex(where: { $0.id == id && $0.revocation == nil }) else { return false }
    entries[index].revocation = revocation
    return true
  }
}

extension RegistryIndex.Entry {
  /// The status at a moment.
  package func status(at now: Timestamp) -> RegistryIndex.Status {
    if revocation != nil { return .revoked }
    if let relegated = failing?.relegated, relegated.milliseconds <= now.milliseconds { return .relegated }
    let left = expires.milliseconds - now.milliseconds
    if left <= 0 { return graceEnd.map { $0.milliseconds > now.milliseconds } == true ? .grace : .expired }
    if failing != nil { return .failing }
    return left <= RegistryIndex.reminderDays * 86_400_000 ? .expiring : .valid
  }
}

extension RegistryIndex {
  /// The version of the format.
  private static let version = 1

  /// The text of `index.jsonl`: a line with the version, and a line for each certificate.
  package var text: String {
    let first = JSON.object(compact: [("registry", .int(Self.version))])
    return ([first] + entries.map(\.representation)).map { $0.compactText + "\n" }.joined()
  }

  /// The reason why a text is not an index.
  package struct Problem: Error, Hashable, Sendable {
    package var line: Int
    package var text: String
  }

  /// Reads the text of `index.jsonl`.
  package init(_ text: String) throws(Problem) {
    for (index, line) in text.split(separator: "\n").enumerated() {
      do {
        let field = JSONField(try JSON(parsing: String(line)))
        if index == 0 { try Self.expectVersion(field) } else { entries.append(try Entry(field)) }
      } catch {
        throw Problem(line: index + 1, text: "\(error)")
      }
    }
    guard !text.isEmpty else { throw Problem(line: 1, text: "expected the version of the registry, found nothing") }
    guard Set(entries.map(\.digest)).count == entries.count, Set(entries.map(\.statement)).count == entries.count else {
      throw Problem(line: 1, text: "a certificate is listed twice: remove one of the lines")
    }
  }

  private static func expectVersion(_ field: JSONField) throws(JSONField.Problem) {
    let found = try field.required("registry")
    guard try found.int() == version else {
      throw found.problem(expected: "\(version): a later version needs a later kit")
    }
  }
}

extension RegistryIndex.Entry: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("digest", digest)
    members.add("statement", statement)
    members.add("protocol", protocolName)
    members.add("tier", tier)
    members.add("subjects", subjects)
    members.add("issued", issued.text)
    members.add("expires", expires.text)
    members.add("graceEnd", graceEnd?.text)
    members.add("failing", failing)
    members.add("revoked", revocation)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    digest = try Self.digest(field.required("digest"))
    statement = try Self.digest(field.required("statement"))
    protocolName = try field.required("protocol").string()
    tier = try field.required("tier").string()
    subjects = []
    for element in try field.required("subjects").elements() { subjects.append(try element.string()) }
    issued = try field.required("issued").timestamp()
    expires = try field.required("expires").timestamp()
    graceEnd = try field.optional("graceEnd")?.timestamp()
    failing = try field.optional("failing").map { field throws(JSONField.Problem) in
      RegistryIndex.Failing(
        since: try field.required("since").timestamp(), relegated: try field.optional("relegated")?.timestamp(),
        reason: try field.required("reason").string())
    }
    revocation = try field.optional("revoked").map { field throws(JSONField.Problem) in
      RegistryIndex.Revocation(
        reason: try field.required("reason").string(), date: try field.required("date").timestamp())
    }
  }

  private static func digest(_ field: JSONField) throws(JSONField.Problem) -> String {
    let digest = try field.string()
    guard digest.utf8.count == 64, digest.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else {
      throw field.problem(expected: "a SHA-256 as 64 hexadecimal digits")
    }
    return digest
  }
}

extension RegistryIndex.Revocation: JSONObjectEncodable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("reason", reason)
    members.add("date", date.text)
  }
}

extension RegistryIndex.Failing {
  /// Describes the failed runs in lists and on pages.
  package var text: String {
    let end = relegated.map { ", relegated from \($0.text.prefix(10))" } ?? ""
    return "later runs fail since \(since.text.prefix(10))\(end): \(reason)"
  }
}

extension RegistryIndex.Failing: JSONObjectEncodable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("since", since.text)
    members.add("relegated", relegated?.text)
    members.add("reason", reason)
  }
}
