import Certification
import Foundation
import Testing

/// The toy after a whole run, and a key to certify it with.
struct ToyCertifier {
  let scratch: Scratch
  let conform: Command

  static let examples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Examples")
    .standardized.path
  static let record = "Examples/toy/conform-report/run.jsonl"
  static let pack = "Examples/toy/cloakroom"
  static let bundle = "sdk.conformance.tar"
  static let adapter = "python3 Examples/toy/cloakroom_adapter.py"

  init() async throws {
    scratch = try Scratch()
    conform = Command(in: scratch)
    try FileManager.default.createDirectory(atPath: scratch.file("Examples"), withIntermediateDirectories: false)
    for name in ["toy", "python"] {
      try FileManager.default.copyItem(atPath: "\(Self.examples)/\(name)", toPath: scratch.file("Examples/\(name)"))
    }
    try #require(try await run().code == 0)
    try await makeKey("own")
  }

  /// Makes a key, `NAME.pem` and `NAME.pub`.
  func makeKey(_ name: String) async throws {
    try #require(try await conform("key", "new", "\(name).pem").code == 0)
    try #require(try await conform("key", "public", "\(name).pem", "--output", "\(name).pub").code == 0)
  }

  func run(_ words: String = "") async throws -> Command.Result {
    try await conform.shell(
      "cd Examples/toy && conform run --quiet --pack cloakroom --sdk 'python3 cloakroom_adapter.py' \(words)")
  }

  /// Certifies the run with the own key, unless the words say otherwise.
  func certify(_ words: String...) async throws -> Command.Result {
    let key = words.contains("--key") || words.contains("--unsigned") ? [] : ["--key", "own.pem"]
    return try await conform.run(
      ["certify", "--pack", Self.pack, "--record", Self.record, "--tier", "conformant", "--output", Self.bundle] + key
        + words)
  }

  func verify(
    _ words: String..., bundle: String = ToyCertifier.bundle, key: String = "own.pub"
  ) async throws -> Command.Result {
    try await conform.run(["verify", "--pack", Self.pack, bundle, "--key", key] + words)
  }

  var ownKey: SigningKey { get throws { try SigningKey(pem: Array(scratch.text("own.pem").utf8)) } }
}
