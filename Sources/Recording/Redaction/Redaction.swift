import ConformanceTranscript
import FoundationEssentials
import HTTPValues
import JSONKit
import Templates

/// Replaces secrets by placeholders before anything is recorded.
package struct Redaction: Sendable {
  /// A spelling of a secret, and its placeholder.
  private struct Needle: Sendable {
    var spelling: SecretSpelling
    var placeholder: [UInt8]
  }

  /// The spellings by their possible first bytes. The longest spellings come first. Otherwise a part of a secret that
  /// contains another secret could remain.
  private let needles: [[Needle]]
  private let names: [[Needle]]
  /// The kit's own vocabulary in lower case. Where a secret occurs as one of these words, or as a part of one, it is
  /// not replaced.
  private let vocabulary: Set<String>
  /// The secrets that become known after the run has begun.
  private let obtained: ObtainedSecrets?
  /// The length of the shortest secret in bytes; 0 if there is no secret.
  private let shortest: Int

  /// The largest number of nested encodings in which a secret is found.
  private static let mostLayers = 3

  /// A secret is also found in the spellings of JSON, URLs, forms, headers and quoted-printable, and in every encoding
  /// that ``DecodedText`` reads, including nested encodings.
  ///
  /// - Parameters:
  ///   - names: the secrets by the names of the provisioned values. Evidence shows the name, so that a claim can
  ///     distinguish one secret from another.
  ///   - vocabulary: words that requests and evidence need. Where a secret occurs as one of these words, or as a part
  ///     of one, it is not replaced.
  package init(
    secrets: [String] = [], names: [String: String] = [:], vocabulary: Set<String> = Self.commonWords,
    obtained: ObtainedSecrets? = nil
  ) {
    self.vocabulary = vocabulary
    self.obtained = obtained
    let named = Dictionary(names.sorted { $0.key < $1.key }.map { ($0.value, $0.key) }) { first, _ in first }
    let distinct = Set(secrets).filter { !$0.isEmpty }.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    shortest = distinct.map(\.utf8.count).min() ?? 0
    func needles(_ secret: String, _ spellings: [SecretSpelling]) -> [Needle] {
      spellings.map { Needle(spelling: $0, placeholder: Array(Self.placeholder(named[secret]).utf8)) }
    }
    let plain = distinct.flatMap { needles($0, [SecretSpelling($0)]) }
    let encoded = distinct.flatMap { needles($0, Self.encodings(of: $0)) }
    self.needles = Self.table(plain + encoded)
    self.names = Self.table(distinct.flatMap { needles($0, [SecretSpelling($0, ignoresCase: true)]) } + encoded)
  }

  /// The spellings by their possible first bytes.
  private static func table(_ needles: [Needle]) -> [[Needle]] {
    guard !needles.isEmpty else { return [] }
    var table = [[Needle]](repeating: [], count: 256)
    for needle in needles { for byte in needle.spelling.beginnings { table[Int(byte)].append(needle) } }
    return table
  }

  /// The secret in both alphabets of base64, at each of the possible offsets in the encoded text, and in hexadecimal
  /// digits.
  private static func encodings(of secret: String) -> [SecretSpelling] {
    let bytes = Array(secret.utf8)
    let standard = (0..<3).map { offset in
      let whole = Data(repeating: 0, count: offset) + bytes + Data(repeating: 0, count: 3)
      // Only the characters whose bits all belong to the secret.
      let (first, last) = ((offset * 8 + 5) / 6, (offset + bytes.count) * 8 / 6)
      return String(whole.base64EncodedString().prefix(last).dropFirst(first))
    }
    let safe = standard.map { $0.replacing("+", with: "-").replacing("/", with: "_") }
    let hexadecimal = bytes.reduce(into: "") { $0 += ($1 < 16 ? "0" : "") + String($1, radix: 16) }
    return Set(standard + safe).sorted().map { SecretSpelling($0) } + [SecretSpelling(hexadecimal, ignoresCase: true)]
  }

  /// The placeholder of a secret in evidence.
  package static func placeholder(_ name: String? = nil) -> String { name.map { "[redacted:\($0)]" } ?? "[redacted]" }

  /// The text without the secrets.
  package func callAsFunction(_ text: String) -> String { clean(Array(text.utf8)).map(Self.text) ?? text }

  /// The bytes without the secrets. The bytes need not be text. If a secret begins in `earlier` and ends in these
  /// bytes, its part in these bytes is replaced.
  package func callAsFunction(_ octets: Octets, after earlier: [UInt8] = []) -> Octets {
    clean(earlier + octets.bytes, after: earlier.count).map { Octets($0) } ?? octets
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The bytes from `start` on, with a placeholder for each secret that ends after `start`; nil if no secret ends
  /// there.
  private func clean(_ bytes: [UInt8], areNames: Bool = false, after start: Int = 0) -> [UInt8]? {
    let other = obtained?.redaction
    let filled = ([areNames ? names : needles] + (other.map { [areNames ? $0.names : $0.needles] } ?? []))
      .filter { !$0.isEmpty }
    guard !filled.isEmpty else { return nil }
    let shortest = [shortest, other?.shortest ?? 0].filter { $0 > 0 }.min() ?? 0
    var matches = matches(in: bytes, filled)
    let open = matches
    for match in encoded(in: bytes, filled, atLeast: shortest, layers: Self.mostLayers)
    where !open.contains(where: { $0.range.overlaps(match.range) }) {
      matches.append(match)
    }
    if matches.count > open.count { matches = Self.apart(matches) }
    var (result, copied): ([UInt8], Int) = ([], start)
    for match in matches where match.range.upperBound > start {
      result += bytes[copied..<max(match.range.lowerBound, copied)] + match.placeholder
      copied = match.range.upperBound
    }
    return copied > start ? result + bytes[copied...] : nil
  }

  /// The place of a secret, and its placeholder.
  private struct Match {
    var range: Range<Int>
    var placeholder: [UInt8]
  }

  /// The places of secrets in all spellings that ``SecretSpelling`` finds, without overlaps.
  private func matches(in bytes: [UInt8], _ tables: [[[Needle]]]) -> [Match] {
    var (matches, index): ([Match], Int) = ([], 0)
    while index < bytes.count {
      var found: Match?
      for table in tables {
        for needle in table[Int(bytes[index])] {
          guard let end = needle.spelling.end(in: bytes, from: index), end > found?.range.upperBound ?? index else {
            continue
          }
          found = Match(range: index..<end, placeholder: needle.placeholder)
        }
      }
      if let match = found, isInVocabulary(bytes, match.range) { found = nil }
      if let found { matches.append(found) }
      index = found?.range.upperBound ?? index + 1
    }
    return matches
  }

  /// The places of secrets that are encoded up to `layers` times.
  private func encoded(
    in bytes: [UInt8], _ tables: [[[Needle]]], atLeast shortest: Int, layers: Int
  ) -> [Match] {
    guard layers > 0 else { return [] }
    return DecodedText.all(in: bytes, atLeast: shortest).flatMap { text in
      (matches(in: text.bytes, tables) + encoded(in: text.bytes, tables, atLeast: shortest, layers: layers - 1))
        .map { Match(range: text.place(of: $0.range), placeholder: $0.placeholder) }
    }
  }

  /// Joins places that overlap.
  private static func apart(_ matches: [Match]) -> [Match] {
    matches.sorted { ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound) }
      .reduce(into: []) { apart, match in
        guard let last = apart.last, last.range.overlaps(match.range) else { return apart.append(match) }
        let end = max(last.range.upperBound, match.range.upperBound)
        apart[apart.count - 1].range = last.range.lowerBound..<end
      }
  }

  /// Whether these bytes are a word of the kit's own vocabulary, or a part of such a word.
  private func isInVocabulary(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    guard !vocabulary.isEmpty, bytes[range].allSatisfy(\.isWordByte) else { return false }
    let before = bytes[..<range.lowerBound].reversed().prefix { $0.isWordByte }.count
    let after = bytes[range.upperBound...].prefix { $0.isWordByte }.count
    let word = bytes[(range.lowerBound - before)..<(range.upperBound + after)]
    return vocabulary.contains(String(decoding: word, as: UTF8.self).lowercased())
  }

  /// Whether there are no secrets.
  private var isIdle: Bool { needles.isEmpty && obtained?.redaction == nil }

  /// The description of the subject, with placeholders for secrets in its names.
  package func callAsFunction(_ subject: Subject) -> Subject {
    guard !isIdle else { return subject }
    return Subject(
      name: self(subject.name), version: self(subject.version), language: subject.language.map { self($0) },
      platform: subject.platform.map { self($0) }, capabilities: subject.capabilities.map { self($0) },
      isHonest: subject.isHonest, lacks: subject.lacks)
  }

  /// The package and the files of a subject, with placeholders for secrets in their names.
  package func callAsFunction(_ build: SubjectBuild) -> SubjectBuild {
    guard !isIdle else { return build }
    let files = build.files.map { (self($0.key), $0.value) }
    return SubjectBuild(
      packageURL: build.packageURL.map { self($0) }, files: Dictionary(files, uniquingKeysWith: { first, _ in first }))
  }

  package func callAsFunction(_ headers: HTTPHeaders) -> HTTPHeaders {
    HTTPHeaders(
      headers.fields.map { field in
        let name = clean(Array(field.name.utf8), areNames: true).map(Self.text)
        return .init(name: name ?? field.name, value: self(field.value))
      })
  }

  package func callAsFunction(_ bindings: Bindings) -> Bindings { Bindings(bindings.values.mapValues { self($0) }) }

  package func callAsFunction(_ event: TranscriptEntry.Event) -> TranscriptEntry.Event {
    guard !isIdle else { return event }
    switch event {
    case .request(let upstream, let record): return .request(upstream: upstream, self(record))
    case .sent(let label, let service, let record): return .sent(label: label, service: service, self(record))
    case .operated(let label, var operation):
      operation.params = self(operation.params)
      operation.outcome = self(operation.outcome)
      return .operated(label: label, operation)
    case .bound(let label, let value): return .bound(label: label, value: self(value))
    case .response(let upstream, let record): return .response(upstream: upstream, self(record))
    case .received(let label, let record): return .received(label: label, self(record))
    case .output(let octets): return .output(self(octets))
    case .command(var command):
      command.params = self(command.params)
      return .command(command)
    case .reply(let reply):
      return .reply(.init(id: reply.id, outcome: self(reply.outcome), isEnded: reply.isEnded))
    case .callback(let handle, let value): return .callback(handle: self(handle), value: self(value))
    case .malformed(let upstream, let connection, let reason, let octets):
      return .malformed(upstream: upstream, connection: connection, reason: self(reason), self(octets))
    case .failed(let label, var failure):
      failure.text = self(failure.text)
      failure.received = self(failure.received)
      return .failed(label: label, failure)
    case .breach(let text): return .breach(self(text))
    case .end(let ending): return .end(.init(ending.kind, self(ending.text)))
    case .cut(let upstream, let text): return .cut(upstream: upstream, text: self(text))
    // Only the kit and the text of the case fill these.
    case .stepBegan, .stepEnded, .process, .fault, .handshake, .kept, .closed, .clock: return event
    }
  }

  private func callAsFunction(_ outcome: CommandOutcome) -> CommandOutcome {
    switch outcome {
    case .result(let value): return .result(self(value))
    case .error(var error):
      error.kind = self(error.kind)
      error.message = error.message.map { self($0) }
      return .error(error)
    case .noReply: return outcome
    }
  }

  /// The value, with placeholders for secrets in its texts and in the names of its members.
  package func callAsFunction(_ value: JSON) -> JSON {
    guard !isIdle else { return value }
    return clean(value)
  }

  private func clean(_ value: JSON) -> JSON {
    switch value {
    case .string(let text): .string(self(text))
    case .array(let elements): .array(elements.map { self($0) })
    case .object(let object):
      .object(JSON.Object(object.members.map { .init(key: self($0.key), value: self($0.value)) }))
    default: value
    }
  }

  private func callAsFunction(_ record: RequestRecord) -> RequestRecord {
    var record = record
    record.line = self(record.line)
    record.headers = self(record.headers)
    record.body = self(record.body)
    record.nearMiss = record.nearMiss.map { self($0) }
    return record
  }

  private func callAsFunction(_ record: ResponseRecord) -> ResponseRecord {
    var record = record
    record.line = self(record.line)
    record.headers = self(record.headers)
    record.body = self(record.body)
    record.values = JSON.Object(record.values.members.map { .init(key: $0.key, value: self($0.value)) })
    record.absent = record.absent.mapValues { self($0) }
    return record
  }
}

extension UInt8 {
  /// Whether the byte is an ASCII letter or digit, or a character that occurs in the kit's words.
  fileprivate var isWordByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }
}
