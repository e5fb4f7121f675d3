import ConformanceTranscript
import HTTPValues
import JSONKit

/// A request of the subject, for checks of its form. It contains the parts that the mock parsed; if the mock refused
/// the request, it contains the parts that can be parsed from its bytes.
struct JudgedRequest {
  /// The number of the entry in the transcript.
  var entry: Int
  /// The text that names the request in findings.
  var subject: String
  var line: String
  var headers: HTTPHeaders
  /// The body without transfer coding; empty for a request that the mock could not parse.
  var body: [UInt8] = []
  /// The host and port in the URL that the case gave the subject; nil if the transcript does not contain it.
  var authority: String?
  /// The bytes of the head, if the mock could not parse the request. Otherwise empty.
  var head: ArraySlice<UInt8> = []
  /// Whether the bytes end inside the head, so that further fields may be missing.
  var isCutShort = false

  var target: String {
    guard let rest = line.split(separator: " ", maxSplits: 1).dropFirst().first else { return "" }
    return String(rest.ranges(of: " HTTP/").last.map { rest[..<$0.lowerBound] } ?? rest)
  }

  var isVersion10: Bool { line.hasSuffix(" HTTP/1.0") }

  /// The host and port in the target, if the target is a whole URL, as a client sends it to a proxy (RFC 9112 §3.2.2);
  /// otherwise nil.
  var targetAuthority: String? {
    guard target.lowercased().hasPrefix("http"), let url = URLText(target), !url.rawHost.isEmpty else { return nil }
    return url.rawHost + (url.port.map { ":\($0)" } ?? "")
  }

  /// The first part of the target that a URL cannot contain; nil if a URL can contain the whole target.
  var badEscape: String? {
    if let bad = target.unicodeScalars.first(where: { $0.value <= 0x20 || $0.value >= 0x7F }) {
      return "'\(bad)' in \(target)"
    }
    var rest = target.utf8[...]
    while let mark = rest.firstIndex(of: UInt8(ascii: "%")) {
      let digits = rest[mark...].dropFirst().prefix(2)
      guard digits.count == 2, digits.allSatisfy(\.isHexDigit) else {
        return "'\(Substring(rest[mark...].prefix(3)))' in \(target)"
      }
      rest = rest[digits.endIndex...]
    }
    return nil
  }

  /// The first CR or LF of the head that is not part of a CR LF; nil if each line ends with CR LF.
  var loneLineEnd: String? {
    for index in head.indices {
      if head[index] == 0x0A, index == head.startIndex || head[index - 1] != 0x0D { return "LF alone" }
      if head[index] == 0x0D, index + 1 < head.endIndex, head[index + 1] != 0x0A { return "CR alone" }
    }
    return nil
  }

  var isJSON: Bool { Self.isJSON(headers, body) }

  /// Whether a body should be uncompressed JSON, according to the Content-Type. Without a Content-Type, the first
  /// character of the body decides.
  static func isJSON(_ headers: HTTPHeaders, _ body: [UInt8]) -> Bool {
    guard !body.isEmpty, headers["Content-Encoding"] == nil else { return false }
    guard let type = headers["Content-Type"]?.lowercased().prefix(while: { $0 != ";" }) else {
      return body.drop { $0 >= 0x80 || $0 == 0 || $0 == 0x20 }.first.map { [0x5B, 0x7B].contains($0) } ?? false
    }
    return type.hasSuffix("/json") || type.hasSuffix("+json")
  }
}

extension Transcript {
  /// The requests that the subject sent to services of the kit, in order.
  var judgedRequests: [JudgedRequest] {
    entries.compactMap { entry in
      switch entry.event {
      case .request(let service, let record):
        JudgedRequest(
          entry: entry.number, subject: "\(record.exchange ?? "unknown") request", line: record.line,
          headers: record.headers, body: record.body.bytes, authority: authority(of: service))
      case .malformed(let service, _, _, let octets):
        JudgedRequest(unread: octets.bytes, entry: entry.number, authority: authority(of: service))
      default: nil
      }
    }
  }

  private func authority(of service: String) -> String? { header.bindings[service]?["host"]?.string }
}

extension JudgedRequest {
  /// Parses the head of a request that the mock refused, as far as possible. The result is nil without a request line
  /// of HTTP/1.
  fileprivate init?(unread bytes: [UInt8], entry: Int, authority: String?) {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let fields = lines.dropFirst().prefix { !$0.allSatisfy { $0 == 0x0D } }
    guard let first = lines.first, lines.count > 1 else { return nil }
    line = Self.text(first)
    guard line.hasSuffix(" HTTP/1.1") || line.hasSuffix(" HTTP/1.0") else { return nil }
    self.entry = entry
    self.authority = authority
    subject = "malformed request"
    headers = HTTPHeaders(
      fields.compactMap { field in
        let text = Self.text(field)
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        return .init(name: String(text[..<colon]), value: String(value))
      })
    isCutShort = lines.count <= fields.count + 2
    head = bytes[..<(fields.last?.endIndex ?? first.endIndex)]
  }

  /// A line as text, without a CR at its end.
  private static func text(_ line: ArraySlice<UInt8>) -> String {
    String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool { (0x30...0x39).contains(self) || (0x41...0x46).contains(self & 0xDF) }
}
