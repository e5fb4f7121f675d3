import ConformanceTranscript
import Templates

/// Writes names in place of the values that differ between runs of a case, so that texts from different runs can be
/// compared. Such values are addresses, ids and instants of the kit, the mock server and the subject.
package struct Particulars: Sendable {
  private struct Named: Sendable {
    var value: String
    var name: String
  }

  /// The values in the header of the transcript, with their names. The longest value comes first.
  private var known: [Named] = []
  /// Numbers in this range count as instants, from 2015 to 2045, in milliseconds since 1970. The range is fixed,
  /// although the seed decides the instant at which a case begins. If the range followed this instant, a fixed date in
  /// a case would be inside the range in some runs and outside in others.
  private static let instants = 1_420_070_400_000..<2_366_841_600_000

  /// Makes an instance without a transcript, which knows no values by name. It recognises only addresses, ids, instants
  /// and entry numbers.
  package init() {}

  package init(_ transcript: Transcript) {
    let header = transcript.header
    for (name, value) in header.bindings.values.sorted(by: { $0.key < $1.key }) {
      if let text = value.string { add(text, name) }
    }
    known.sort { ($1.value.utf8.count, $0.name) < ($0.value.utf8.count, $1.name) }
  }

  /// The length of the shortest value that gets a name. A shorter value may occur in a text by chance.
  private static let shortest = 6

  private mutating func add(_ value: String, _ name: String) {
    guard value.utf8.count >= Self.shortest else { return }
    known.append(Named(value: value, name: "${\(name)}"))
    guard let scheme = value.firstRange(of: "://") else { return }
    let authority = value[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
    guard let colon = authority.lastIndex(of: ":"), authority.utf8.count >= Self.shortest else { return }
    known.append(Named(value: String(authority), name: "${\(name).authority}"))
    let port = authority[authority.index(after: colon)...]
    known.append(Named(value: authority[..<colon] + "%3A" + port, name: "${\(name).authority}"))
  }

  /// The finding, together with the normal form of its texts. The normal form is left out if it does not differ from
  /// the texts.
  package func naming(_ finding: Finding) -> Finding {
    var named = finding
    let normal = Finding.Wording(
      subject: self.normal(finding.subject), expected: self.normal(finding.expected),
      observed: self.normal(finding.observed))
    named.normal = normal == finding.shown ? nil : normal
    return named
  }

  /// The verdict with the normal form of its texts.
  package func naming(_ verdict: Verdict) -> Verdict {
    var named = verdict
    switch verdict.outcome {
    case .violates(let findings): named.outcome = .violates(findings.map(naming))
    case .unjudged(let reason):
      let normal = normal(reason)
      named.normalReason = normal == reason ? nil : normal
    case .conforms, .notApplicable: break
    }
    return named
  }

  /// The normal form of a text: names replace the values that differ between runs, and entry numbers are left out.
  package func normal(_ text: String) -> String {
    // Instants are replaced first, because a known day may be a part of another instant.
    let dated = text.withoutEntryNumbers.withShorterExcerpts.withoutHTTPDates
    var text = replacingWords(of: dated) { named(instant: $0) ?? $0 }
    for one in known where text.contains(one.value) { text = text.replacing(one.value, with: one.name) }
    return replacingWords(of: text, with: named(word:))
  }

  /// The text in which each word is replaced with the result of `name` for the word. A word in a hole such as `${uuid}`
  /// is already a name, and stays as it is.
  private func replacingWords(of text: String, with name: (String) -> String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "$"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "{") {
        let end = bytes[index...].firstIndex(of: UInt8(ascii: "}")) ?? bytes.count - 1
        result += bytes[index...end]
        index = end + 1
        continue
      }
      let word = bytes[index...].prefix { $0.isPartOfWord }
      guard !word.isEmpty else {
        result.append(bytes[index])
        index += 1
        continue
      }
      result += name(String(decoding: word, as: UTF8.self)).utf8
      index = word.endIndex
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// `${instant}` if the word is an instant. A full stop or colon at the end of the word is kept. Nil for any other
  /// word, and for a known value that has a name of its own.
  private func named(instant word: String) -> String? {
    if let last = word.last, ".:".contains(last) {
      return named(instant: String(word.dropLast())).map { $0 + String(last) }
    }
    if known.contains(where: { $0.value == word }) { return nil }
    return Timestamp(word).flatMap { Self.instants.contains($0.milliseconds) ? "${instant}" : nil }
  }

  /// The word, in which each part that looks random is replaced by the name of its kind, such as `${uuid}`.
  private func named(word: String) -> String {
    if let last = word.last, ".:".contains(last) { return named(word: String(word.dropLast())) + String(last) }
    if word.isAddress { return "${address}" }
    // The separators between the parts of a longer word stay.
    var result = ""
    var part = ""
    for character in word {
      if ".:+".contains(character) {
        result += named(part: part) + String(character)
        part = ""
      } else {
        part.append(character)
      }
    }
    return result + named(part: part)
  }

  private func named(part: String) -> String {
    if part.isUUID { return "${uuid}" }
    if let number = Int(part) {
      let milliseconds = part.utf8.count == 10 ? number * 1000 : number
      return Self.instants.contains(milliseconds) ? "${instant}" : part
    }
    return part.pieces.map { $0.isDrawn ? "${drawn}" : $0 }.joined()
  }

}

extension String {
  /// The text without `(entry 4)`, `(entries 4, 9, …)` and the space before them.
  fileprivate var withoutEntryNumbers: String {
    var result = ""
    var rest = self[...]
    while let open = rest.firstRange(of: " (entr") {
      let end = rest[open.upperBound...].firstIndex(of: ")")
      let inside = rest[open.upperBound..<(end ?? rest.endIndex)]
      guard let end, inside.hasPrefix("y ") || inside.hasPrefix("ies "), inside.contains(where: \.isNumber) else {
        result += rest[..<open.upperBound]
        rest = rest[open.upperBound...]
        continue
      }
      result += rest[..<open.lowerBound]
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  /// The text in which `${instant}` replaces each date from 2015 to 2044 in the form of header fields (RFC 9110 section
  /// 5.6.7), such as `Mon, 30 Nov 2026 17:26:55 GMT`.
  fileprivate var withoutHTTPDates: String {
    contains(" GMT")
      ? replacing(
        /[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} 20(1[5-9]|[23]\d|4[0-4]) \d{2}:\d{2}:\d{2} GMT/, with: "${instant}") : self
  }

  /// The text in which each excerpt that ends with `...` is shorter. The excerpt loses its last 60 characters, and the
  /// rest of the word that this cuts. Otherwise a value of this run could be cut off at the end of an excerpt, and
  /// would not be recognised.
  fileprivate var withShorterExcerpts: String {
    let mark = "..."
    let pieces = split(separator: mark, omittingEmptySubsequences: false)
    guard pieces.count > 1 else { return self }
    return pieces.dropLast().map { piece in
      let kept = piece.dropLast(60)
      let word = kept.utf8.reversed().prefix(while: \.isPartOfWord).count
      return kept.dropLast(word) + mark
    }.joined() + pieces[pieces.count - 1]
  }

  /// Whether the text is an address of this machine with a port, such as `127.0.0.1:40112`.
  fileprivate var isAddress: Bool {
    guard let colon = lastIndex(of: ":") else { return false }
    let port = self[index(after: colon)...]
    return ["127.0.0.1", "localhost"].contains(self[..<colon]) && !port.isEmpty
      && port.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// Whether the text is a UUID: 8-4-4-4-12 hexadecimal digits (RFC 9562).
  fileprivate var isUUID: Bool {
    let groups = split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.utf8.allSatisfy(\.isHexDigit) }
  }

  /// The text, split at hyphens and underscores. Each of these characters is a piece, too.
  fileprivate var pieces: [String] {
    reduce(into: [""]) { pieces, character in
      if "-_".contains(character) {
        pieces += [String(character), ""]
      } else {
        pieces[pieces.count - 1].append(character)
      }
    }
  }

  /// Whether the word looks like a random text: it has at least 16 letters and digits, among them at least three digits
  /// and one letter. Random texts of the mock server have at least this length.
  fileprivate var isDrawn: Bool {
    guard utf8.count >= 16, utf8.allSatisfy(\.isLetterOrDigit) else { return false }
    let digits = utf8.count { (0x30...0x39).contains($0) }
    return digits >= 3 && digits < utf8.count
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
  }

  fileprivate var isLetterOrDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
  }

  fileprivate var isPartOfWord: Bool { isLetterOrDigit || "-_.:+".utf8.contains(self) }
}
