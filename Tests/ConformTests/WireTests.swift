import Foundation
import JSONKit
import Testing

/// An SDK with a wire profile of its own is judged by the same cases.
@Suite struct WireTests {
  private static let example = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Examples/sentiance-python").standardized.path

  private let folder: Scratch
  private let conform: Command

  init() throws {
    folder = try Scratch()
    conform = Command(in: folder)
  }

  /// The verdicts of a run over the cases about creations, with their requirements.
  private func verdicts(_ options: String, _ more: String...) async throws -> [String] {
    let result = try await conform.run(
      [
        "run", "--protocol", "sentiance", "--sdk", "python3 '\(Self.example)/adapter.py' \(options)", "--case",
        "creation.*",
        "--output", "report", "--quiet",
      ] + more)
    #expect([0, 1, 3].contains(result.code), "\(result.errors)")
    return try folder.text("report/run.jsonl").split(separator: "\n").compactMap { line in
      guard let value = try? JSON(parsing: Array(line.utf8)), value["record"]?.string == "verdict" else { return nil }
      let instance = ["case", "row"].map { value["instance"]?[$0]?.string ?? "" }
      let parts = ["requirement", "outcome", "disposition"].map { value[$0]?.string ?? "" }
      return (instance + parts).joined(separator: " ")
    }.sorted()
  }

  @Test func theSameVerdictsInOtherWords() async throws {
    let own = try await verdicts("")
    let other = try await verdicts("--option wire.other", "--wire", "\(Self.example)/wire")
    #expect(own.count > 50 && own == other)
  }

  @Test func aDefectIsSeenInOtherWords() async throws {
    let own = try await verdicts("--defect tls.anything-trusted")
    let other = try await verdicts(
      "--defect tls.anything-trusted --option wire.other", "--wire", "\(Self.example)/wire")
    let honest = try await verdicts("")
    #expect(own == other && own != honest)
  }

  /// A subject that uses the protocol's own requests sends nothing that the wire profile contains.
  @Test func theOldWordsAreNotTaken() async throws {
    let result = try await conform(
      "run", "--protocol", "sentiance", "--sdk", "python3 '\(Self.example)/adapter.py'", "--wire",
      "\(Self.example)/wire", "--case", "creation.certificate", "--output", "report")
    #expect(result.code == 3, "\(result.output)")
    let evidence = try folder.text("report/evidence/creation.certificate[expired]@v2.jsonl")
    #expect(evidence.contains("the wire profile has another request for 'sdk-create'"))
  }

  @Test func aFolderThatSaysLessIsRefused() async throws {
    let text = try String(contentsOfFile: "\(Self.example)/wire/sdk-create.json", encoding: .utf8)
    try FileManager.default.createDirectory(atPath: folder.file("wire"), withIntermediateDirectories: true)
    try folder.write("wire/sdk-create.json", text.replacing("\"secret?\": \"${secret:text}\",", with: ""))
    let result = try await conform(
      "run", "--protocol", "sentiance", "--sdk", "python3 '\(Self.example)/adapter.py'", "--wire", "wire")
    #expect(result.code == 2)
    #expect(result.errors.contains("$.request: expected a place for ${secret}, found none"), "\(result.errors)")
  }

  /// A server with reports under another path, and another name for the id of an install.
  private static let otherServer = #"""
    import http.server, json, os, uuid

    class Reports(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self, status, body):
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self):
            self.answer(200, {"status": "up"})

        def do_POST(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            key = os.environ.get("FIXED_KEY") or str(uuid.uuid4())
            organic = {"attributed": False, "confidenceScore": 0, "matchedFactors": [], "deepLinkData": None}
            if self.path == "/v2/report":
                self.answer(200, {"reportKey": key, **organic})
            else:
                self.answer(404, {"error": "Not found"})

        def log_message(self, *args):
            pass

    http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Reports).serve_forever()
    """#

  private func runOnOtherServer(_ environment: String, _ more: String...) async throws -> Command.Result {
    let exchange = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fixtures/linkforty/exchanges/install.json")
    let text = try String(contentsOf: exchange, encoding: .utf8)
    try FileManager.default.createDirectory(atPath: folder.file("wire"), withIntermediateDirectories: true)
    try folder.write(
      "wire/install.json",
      text.replacing("/api/sdk/v1/install", with: "/v2/report").replacing(
        "\"installId\": \"${", with: "\"reportKey\": \"${"))
    try folder.write("server.py", Self.otherServer)
    try folder.write(
      "server.yaml",
      """
      kit: 2
      start:
        program: [python3, server.py]
        environment: { PORT: "${api.port}"\(environment) }
        ready: { path: /, within: 20s }
      """)
    let words = [
      "run", "--server-file", "server.yaml", "--dialect", "spec", "--case", "server.install.minimal", "--output",
      "report",
    ]
    return try await conform.run(words + more)
  }

  /// The kit sends requests in the server's wire profile, and judges its answers as if they were in that of the
  /// protocol.
  @Test func aServerIsJudgedInOtherWords() async throws {
    let result = try await runOnOtherServer("", "--wire", "wire")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    let evidence = try folder.text("report/evidence/server.install.minimal@spec.jsonl")
    #expect(evidence.contains("/api/sdk/v1/install") && !evidence.contains("reportKey"))
  }

  @Test func aDefectOfAServerIsSeenInOtherWords() async throws {
    let key = "5f0c1c9e-7d3a-4b7e-9a51-2c6f8e0d4b19"
    let result = try await runOnOtherServer(", FIXED_KEY: \(key)", "--wire", "wire")
    #expect(result.code == 1 && result.output.contains("LFS-INS-002"), "\(result.output)\(result.errors)")
  }

  @Test func aServerOfOtherWordsBreaksThoseOfTheProtocol() async throws {
    let result = try await runOnOtherServer("")
    #expect(result.code != 0, "\(result.output)\(result.errors)")
  }
}
