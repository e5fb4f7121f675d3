import ConformanceModel
import FoundationEssentials
import JSONKit

/// Puts a placeholder in the place of secrets before anything is written down.
package struct Redaction: Sendable {
  /// Something to look for, and what is written down instead.
  private struct Needle: Sendable {
    var spelling: SecretSpelling
    var placeholder: [UInt8]
  }

  /// What is looked for, longest first so that one inside another leaves no rest, by the bytes that it can begin with.
  private let needles: [[Needle]]
  private let names: [[Needle]]
  /// Words of the kit's own, in small letters: where one of them is written as a word, it is not a secret.
  private let vocabulary: Set<String>
  /// What became a secret after the run had begun.
  private let obtained: ObtainedSecrets?
  /// How many bytes the shortest secret has; 0 where there is none.
  private let shortest: Int

  /// How often a secret may be encoded and still be found.
  private static let mostLayers = 3

  /// A secret is also found as a JSON text, a URL, a form, a header or quoted-printable spells it, and in whatever
  /// ``DecodedText`` reads, also in one another. `names` are those that secrets have as values lent to cases: evidence shows them, so that a claim
  /// can tell one secret from another. `vocabulary` holds the words that requests and evidence consist of: a secret that is
  /// spelled like one of them leaves the word itself as it is.
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

  /// The needles that can begin with each byte.
  private static func table(_ needles: [Needle]) -> [[Needle]] {
    guard !needles.isEmpty else { return [] }
    var table = [[Needle]](repeating: [], count: 256)
    for needle in needles { for byte in needle.spelling.beginnings { table[Int(byte)].append(needle) } }
    return table
  }

  /// The secret in both alphabets of base64, wherever in the encoded text it stands, and in hexadecimal digits.
  private static func encodings(of secret: String) -> [SecretSpelling] {
    let bytes = Array(secret.utf8)
    let standard = (0..<3).map { offset in
      let whole = Data(repeating: 0, count: offset) + bytes + Data(repeating: 0, count: 3)
      // Only what no neighbour has a bit in.
      let (first, last) = ((offset * 8 + 5) / 6, (offset + bytes.count) * 8 / 6)
      return String(whole.base64EncodedString().prefix(last).dropFirst(first))
    }
    let safe = standard.map { $0.replacing("+", with: "-").replacing("/", with: "_") }
    let hexadecimal = bytes.reduce(into: "") { $0 += ($1 < 16 ? "0" : "") + String($1, radix: 16) }
    return Set(standard + safe).sorted().map { SecretSpelling($0) } + [SecretSpelling(hexadecimal, ignoresCase: true)]
  }

  /// What stands for a secret in evidence.
  package static func placeholder(_ name: String? = nil) -> String { name.map { "[redacted:\($0)]" } ?? "[redacted]" }

  /// The text without the secrets.
  package func callAsFunction(_ text: String) -> String { clean(Array(text.utf8)).map(Self.text) ?? text }

  /// The bytes without the secrets, whether or not they are a text as a whole, and without the rest of a secret that
  /// began in the bytes that came earlier.
  func callAsFunction(_ octets: Octets, after earlier: [UInt8] = []) -> Octets {
    clean(earlier + octets.bytes, after: earlier.count).map { Octets($0) } ?? octets
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The bytes from `start` on with a placeholder for each spelling that ends there; nil where there is none.
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

  /// A place where a secret is, and what is written down instead.
  private struct Match {
    var range: Range<Int>
    var placeholder: [UInt8]
  }

  /// Where secrets are spelled, one behind the other.
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

  /// Where secrets are encoded, also in what is itself encoded.
  private func encoded(
    in bytes: [UInt8], _ tables: [[[Needle]]], atLeast shortest: Int, layers: Int
  ) -> [Match] {
    guard layers > 0 else { return [] }
    return DecodedText.all(in: bytes, atLeast: shortest).flatMap { text in
      (matches(in: text.bytes, tables) + encoded(in: text.bytes, tables, atLeast: shortest, layers: layers - 1))
        .map { Match(range: text.place(of: $0.range), placeholder: $0.placeholder) }
    }
  }

  /// The places one behind the other, those that overlap as one.
  private static func apart(_ matches: [Match]) -> [Match] {
    matches.sorted { ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound) }
      .reduce(into: []) { apart, match in
        guard let last = apart.last, last.range.overlaps(match.range) else { return apart.append(match) }
        let end = max(last.range.upperBound, match.range.upperBound)
        apart[apart.count - 1].range = last.range.lowerBound..<end
      }
  }

  /// Whether the word that these bytes are, or are a part of, is one of the kit's own.
  private func isInVocabulary(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    guard !vocabulary.isEmpty, bytes[range].allSatisfy(\.isWordByte) else { return false }
    let before = bytes[..<range.lowerBound].reversed().prefix { $0.isWordByte }.count
    let after = bytes[range.upperBound...].prefix { $0.isWordByte }.count
    let word = bytes[(range.lowerBound - before)..<(range.upperBound + after)]
    return vocabulary.contains(String(decoding: word, as: UTF8.self).lowercased())
  }

  /// Whether there is nothing to look for.
  private var isIdle: Bool { needles.isEmpty && obtained?.redaction == nil }

  /// Who takes part, as it names itself, without the secrets.
  package func callAsFunction(_ subject: Subject) -> Subject {
    guard !isIdle else { return subject }
    return Subject(
      name: self(subject.name), version: self(subject.version), language: subject.language.map { self($0) },
      platform: subject.platform.map { self($0) }, capabilities: subject.capabilities.map { self($0) },
      isHonest: subject.isHonest)
  }

  func callAsFunction(_ headers: HTTPHeaders) -> HTTPHeaders {
    HTTPHeaders(
      headers.fields.map { field in
        let name = clean(Array(field.name.utf8), areNames: true).map(Self.text)
        return .init(name: name ?? field.name, value: self(field.value))
      })
  }

  func callAsFunction(_ bindings: Bindings) -> Bindings { Bindings(bindings.values.mapValues { self($0) }) }

  func callAsFunction(_ event: TranscriptEntry.Event) -> TranscriptEntry.Event {
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
    // What only the kit and the text of the case fill.
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

  /// The value without the secrets, in its texts and its names.
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
  /// A letter or a digit of ASCII, or a mark that stands inside words of the kit.
  fileprivate var isWordByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }
}
