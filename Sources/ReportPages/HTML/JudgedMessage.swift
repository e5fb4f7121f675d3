import ConformanceTranscript
import ConformanceVerdict
import HTTPValues
import JSONKit
import TextKit

/// A message that a finding names: its first line, and its body over several lines. If a finding is about a header
/// field, all header fields are shown, too. The lines about which there are findings are marked.
struct JudgedMessage {
  let number: Int
  let title: String
  let lines: [MarkedJSON.Line]

  /// The size in bytes of the largest body that is shown as JSON. A larger body is shown as text.
  private static let longestBody = 128 << 10
  /// The largest number of bytes that are shown of a body that is not shown as JSON.
  private static let longestText = 4_000

  /// The first `limit` messages that findings name, in the order of the transcript.
  static func all(in transcript: Transcript, _ findings: [Finding], limit: Int = 4) -> [JudgedMessage] {
    let paths = Dictionary(
      findings.flatMap { finding in finding.entries.map { ($0, [finding.path]) } }, uniquingKeysWith: +)
    return transcript.entries.lazy.compactMap { entry in
      paths[entry.number].flatMap { JudgedMessage(entry, marking: $0) }
    }.prefix(limit).map(\.self)
  }

  /// The message that an entry contains; nil if the entry contains no message.
  init?(_ entry: TranscriptEntry, marking paths: [JSONPath]) {
    number = entry.number
    switch entry.event {
    case .request(let service, let record), .sent(_, let service, let record):
      title = "request to \(service)"
      lines = Self.lines(record.line, record.headers, record.body, paths)
    case .response(let service, let record):
      title = "response of \(service)"
      lines = Self.lines(record.line, record.headers, record.body, paths)
    case .received(_, let record):
      title = "response"
      lines = Self.lines(record.line, record.headers, record.body, paths)
    case .callback(let handle, let value):
      title = "callback \(handle)"
      lines = MarkedJSON.lines(of: value, marking: paths)
    case .reply(let reply):
      title = "result of the call"
      lines = MarkedJSON.lines(of: reply.outcome.view, marking: paths)
    default: return nil
    }
  }

  private static func lines(
    _ line: String, _ headers: HTTPHeaders, _ body: Octets, _ paths: [JSONPath]
  ) -> [MarkedJSON.Line] {
    let first = paths.map { path in path.steps.first.map { "\($0.name)" } ?? "" }
    let isLineMeant = first.contains { ["method", "target", "path", "query", "status"].contains($0) }
    let head = MarkedJSON.Line(text: line.cut(at: 1000), isMarked: isLineMeant)
    let fields = first.contains("headers") ? Self.fields(headers, paths) : []
    let inBody = paths.filter { $0.steps.first?.name == "body" }.map { JSONPath(Array($0.steps.dropFirst())) }
    let content = self.content(body, inBody, isTextMeant: first.contains("text"))
    return [head] + fields + (content.isEmpty ? [] : [MarkedJSON.Line(text: "")] + content)
  }

  /// The header fields. Fields that a path names are marked. If a path names an absent field, this field has a line,
  /// too.
  private static func fields(_ headers: HTTPHeaders, _ paths: [JSONPath]) -> [MarkedJSON.Line] {
    let meant = Set(paths.filter { $0.steps.count > 1 && $0.steps[0].name == "headers" }.map { $0.steps[1].name })
    let names = Set(headers.fields.map { $0.name.lowercased() })
    let shown = headers.fields.prefix(60).map { field in
      MarkedJSON.Line(
        text: "\(field.name): \(field.value)".cut(at: 1000), isMarked: meant.contains(field.name.lowercased()))
    }
    return shown
      + meant.subtracting(names).sorted().map { MarkedJSON.Line(text: "(no field \($0))", isMarked: true) }
  }

  private static func content(_ body: Octets, _ paths: [JSONPath], isTextMeant: Bool) -> [MarkedJSON.Line] {
    if body.bytes.isEmpty { return [] }
    if body.bytes.count <= longestBody, let value = body.json { return MarkedJSON.lines(of: value, marking: paths) }
    let text = Octets(body.bytes.prefix(longestText)).text
    let rest = body.bytes.count - longestText
    let isMarked = isTextMeant || !paths.isEmpty
    return text.split(separator: "\n", omittingEmptySubsequences: false).prefix(60).map {
      MarkedJSON.Line(text: $0.description.cut(at: 1000), isMarked: isMarked)
    } + (rest > 0 ? [MarkedJSON.Line(text: "… \("byte".counted(rest)) more")] : [])
  }
}

extension JSONPath.Step {
  /// The key of a member, or the index of an element.
  fileprivate var name: String {
    switch self {
    case .key(let key): key
    case .index(let index): "\(index)"
    }
  }
}
