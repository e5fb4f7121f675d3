import AdapterProtocol
import ConformanceReport
import ConformanceSpec
import ConformanceVerdict
import ConformanceWire
import Glibc
import HTTPValues
import JSONKit
import Records
import SpecDocuments
import Templates

/// A function that reads untrusted bytes, the sources of its inputs, and the property that must hold for every input.
struct FuzzedReader {
  /// A property that an input violates.
  struct Violation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  let name: String
  /// Words of the input's format. The mutator inserts them into inputs.
  let tokens: [String]
  /// The paths of files in the repository that serve as inputs in addition to the corpus.
  let realInputs: [String]
  /// Reads an input and checks the property. An input that the reader refuses is not a violation.
  let read: ([UInt8]) async throws(Violation) -> Void
  /// Further inputs in addition to the corpus and ``realInputs``.
  var inputs: [[UInt8]] = []

  /// All readers of the kit. `root` is the folder with the kit's data.
  static func all(root: String) async throws -> [FuzzedReader] {
    let schema = XMLSchemaReader(schema: try JUnitReport.schema())
    let provisioning = try await Self.provisioning(root: root)
    return [
      FuzzedReader(name: "xml", tokens: xmlTokens, realInputs: []) { _ = schema.schema.problems(in: $0) },
      FuzzedReader(
        name: "json", tokens: jsonTokens,
        realInputs: ["Fixtures/linkforty/exchanges/event.json", "spec/schema/server.schema.json"], read: json),
      FuzzedReader(
        name: "yaml", tokens: yamlTokens,
        realInputs: ["spec/linkforty/steps.yaml", "spec/linkforty/positions.yaml", "spec/sentiance/server.yaml"]
      ) { _ = try? SpecDocument(file: "input.yaml", bytes: $0) },
      FuzzedReader(
        name: "rpc", tokens: jsonTokens + ["\n", "jsonrpc", "\"2.0\"", "id", "method"], realInputs: [], read: rpc),
      FuzzedReader(name: "http-request", tokens: httpTokens, realInputs: []) { bytes throws(Violation) in
        try http(bytes, .requests)
      },
      FuzzedReader(name: "http-response", tokens: httpTokens, realInputs: []) { bytes throws(Violation) in
        try http(bytes, .response(to: "GET"))
        try http(bytes, .response(to: "HEAD"))
      },
      FuzzedReader(name: "record", tokens: jsonTokens + ["\n"], realInputs: []) { bytes throws(Violation) in
        try InputPath.with(bytes) { _ = try? RunRecord(readingFrom: $0) }
      },
      FuzzedReader(
        name: "sealed-record", tokens: jsonTokens + recordTokens, realInputs: ["Tests/Fuzz/record/run.jsonl"],
        read: sealedRecord),
      FuzzedReader(name: "transcript", tokens: jsonTokens + ["\n"], realInputs: []) { bytes throws(Violation) in
        try InputPath.with(bytes) { _ = try? TranscriptFile(readingFrom: $0) }
      },
      provisioning,
      FuzzedReader(name: "url", tokens: urlTokens, realInputs: [], read: url),
    ] + certificates + [try await ForgedCertificate.reader(root: root)]
  }

  private static func provisioning(root: String) async throws -> FuzzedReader {
    let catalogue = try await CatalogueLoader.load(root: root, protocol: "sentiance")
    let reader = try ProvisioningFile(
      CatalogueFolder(root: root), definition: catalogue.definition, exchanges: catalogue.exchanges)
    return FuzzedReader(
      name: "provisioning",
      tokens: yamlTokens + ["${env.A}", "${lent.a}", "${trust.file}", "hooks:", "start:", "probe:"],
      realInputs: [
        "Examples/sentiance-backend-python/binding.yaml", "Examples/linkforty-server/provisioning.yaml",
        "Examples/javascript-server/provisioning.yaml",
      ]
    ) { _ = try? reader.read($0, file: "input.yaml", variables: ["A": "value-of-a-variable"]) }
  }

  /// Checks JSON that the reader accepts. If the kit writes the value and reads it again, the result must be equal.
  private static func json(_ bytes: [UInt8]) throws(Violation) {
    _ = try? SpecDocument(file: "input.json", bytes: bytes)
    guard let value = try? JSON(parsing: bytes) else { return }
    for written in [value.compactText, value.prettyText] where (try? JSON(parsing: written)) != value {
      throw Violation("written again as another value")
    }
    _ = try? JSONSchema(value)
  }

  /// Gives the lines a valid hash chain, and reads them as a record. An accepted record must be equal after it is
  /// written and read again, and its last line must agree with its verdicts.
  private static func sealedRecord(_ bytes: [UInt8]) throws(Violation) {
    guard let record = try record(sealing: bytes) else { return }
    let written = record.lines.map(\.representation.compactText).joined(separator: "\n")
    guard let again = try Self.record(sealing: Array(written.utf8)) else {
      throw Violation("refused when written again")
    }
    guard again == record else { throw Violation("written again as another record") }
    guard let end = record.end else { return }
    guard end.exitCode == record.conclusion.exitCode, end.tally == Tally(record.rulings.map(\.disposition)) else {
      throw Violation("accepted with a result that its verdicts do not give")
    }
  }

  private static func record(sealing bytes: [UInt8]) throws(Violation) -> RunRecord? {
    var record: RunRecord?
    try InputPath.with(RecordSeal.sealedAgain(bytes)) { record = try? RunRecord(readingFrom: $0) }
    return record
  }

  /// Checks that a message is written as one line, and that this line is read as the same message.
  private static func rpc(_ bytes: [UInt8]) throws(Violation) {
    var splitter = LineSplitter(limit: 4 << 10)
    for case .whole(let line) in splitter.lines(in: bytes) {
      guard let message = try? RPCMessage(line: line) else { continue }
      guard message.line.firstIndex(of: 0x0A) == message.line.count - 1,
        (try? RPCMessage(line: message.line.dropLast()).line) == message.line
      else { throw Violation("written again as another message") }
    }
  }

  /// Checks that the kit reads the same messages, no matter whether the bytes arrive as a whole or in pieces.
  private static func http(_ bytes: [UInt8], _ kind: HTTPMessageReader.Kind) throws(Violation) {
    let whole = outputs(of: [bytes[...]], kind)
    let step = bytes.count % 7 + 1
    let pieces = stride(from: 0, to: bytes.count, by: step).map { bytes[$0..<min(bytes.count, $0 + step)] }
    guard outputs(of: pieces, kind) == whole else { throw Violation("read otherwise in pieces of \(step)") }
  }

  private static func outputs(
    of pieces: [ArraySlice<UInt8>], _ kind: HTTPMessageReader.Kind
  ) -> [HTTPMessageReader.Output] {
    var reader = HTTPMessageReader(kind, limits: .init(head: 4 << 10, body: 16 << 10))
    var outputs: [HTTPMessageReader.Output] = []
    for piece in pieces {
      reader.append(piece)
      while true {
        let output = reader.next()
        if output == .needsMore { break }
        outputs.append(output)
        if case .failed = output { return outputs }
      }
    }
    return outputs + [reader.finish()]
  }

  /// Checks that each part of a parsed URL occurs unchanged in the text of the URL.
  private static func url(_ bytes: [UInt8]) throws(Violation) {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = URLText.userInfo(of: text)
    _ = WireEndpoint(url: text)
    _ = Timestamp(text)
    _ = JSONPath(text)
    _ = try? Template(text: text)
    guard let url = URLText(text) else { return }
    let parts = [url.userInfo, url.rawHost, url.path, url.query, url.fragment].compactMap(\.self)
    for part in parts where !text.utf8.contains(part.utf8) { throw Violation("the URL does not contain '\(part)'") }
  }

  static let jsonTokens = [
    "{", "}", "[", "]", ",", ":", "\"", "null", "true", "false", "0", "-0", "1e9999", "-", "1.0", "\\u0000", "\\ud800",
    "\\udc00", "\\\"", "\u{FEFF}", "9223372036854775808", "1e-400", "{\"a\":", "[[", "\u{2028}",
  ]
  static let recordTokens = [
    "\n", "\"pass\"", "\"fail\"", "\"known\"", "\"skipped\"", "\"advisory\"", "\"conforms\"", "\"violates\"",
    "\"unjudged\"", "\"not-applicable\"", "\"baseline\":\"known\",", "\"exitCode\":0", "\"conclusion\":\"conformant\"",
    "\"findings\":[],", "\"reason\":\"none\",", "\"MAY\"", "\"MUST\"", "\"interrupted\":false", "\"planned\":1",
  ]
  private static let yamlTokens = [
    ":", ": ", "- ", "\n", "\n  ", "{", "}", "[", "]", "&a ", "*a", "<<: ", "!!str ", "|", ">", "|+2\n", "? ", "---\n",
    "...\n", "'", "\"", "#", "%YAML 1.2\n", "\t", "~", "${", "}", "\u{85}", "0x1F", "1_000", ".inf", "2026-01-01",
  ]
  private static let xmlTokens = [
    "<", ">", "</", "/>", "&amp;", "&#0;", "&#x10FFFF;", "<![CDATA[", "]]>", "<!--", "-->", "<!DOCTYPE a [",
    "<!ENTITY a \"b\">",
    "&a;", "<?xml version=\"1.1\"?>", "xmlns:x=\"y\"", "<testcase>", "<testsuites>", "time=\"NaN\"", "tests=\"-1\"",
    "encoding=\"UTF-16\"", "\u{FEFF}",
  ]
  private static let httpTokens = [
    "\r\n", "\n", "\r", "\r\n\r\n", ":", " ", "\t", "GET / HTTP/1.1", "HTTP/1.1 200 OK\r\n",
    "HTTP/1.1 100 Continue\r\n\r\n",
    "Content-Length: ", "Content-Length: 99999999999999999999\r\n", "Transfer-Encoding: chunked\r\n", "0\r\n\r\n",
    "ffffffffffffffff\r\n",
    ";a=b", "Expect: 100-continue\r\n", "Connection: close\r\n", "HTTP/1.0", "-1", "\u{0}", "Host: a\r\n",
  ]
  private static let urlTokens = [
    "://", "//", "/", "?", "#", "@", ":", "[::1]", "[", "]", "%", "%00", "%2F", "..", "http", "65536", ":0", "é",
    "\u{FF0F}",
    "${", "}", "$", ".", "[0]", "2026-02-30T25:61:61Z",
  ]
}

/// A class that contains a schema. Readers are closures. They can capture this class, but not the schema itself,
/// because a schema cannot be copied.
private final class XMLSchemaReader: Sendable {
  nonisolated(unsafe) let schema: XMLSchema

  init(schema: consuming XMLSchema) { self.schema = schema }
}

/// Writes an input to a file, because some readers expect the path of a file.
enum InputPath {
  private static let path = "/tmp/conform-fuzz-\(getpid())"

  static func with(_ bytes: [UInt8], _ body: (String) -> Void) throws(FuzzedReader.Violation) {
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FuzzedReader.Violation("no file for it: \(String(cString: strerror(errno)))") }
    defer {
      close(file)
      unlink(path)
    }
    guard write(file, bytes, bytes.count) == bytes.count else {
      throw FuzzedReader.Violation("no room for it: \(String(cString: strerror(errno)))")
    }
    body("/proc/self/fd/\(file)")
  }
}
