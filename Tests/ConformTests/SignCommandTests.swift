import Foundation
import Testing

/// Bundles that are signed by several, or by another tool.
@Suite struct SignCommandTests {
  private let toy: ToyCertifier

  init() async throws { toy = try await ToyCertifier() }

  private static let signed = "signed.conformance.tar"

  private func sign(_ words: String..., output: String = signed) async throws -> Command.Result {
    try await toy.conform.run(
      ["sign", "--pack", ToyCertifier.pack, ToyCertifier.bundle, "--output", output] + words)
  }

  @Test func twoSignersAreDemandedOneByOne() async throws {
    try #require(try await toy.certify().code == 0)
    try await toy.makeKey("author")
    #expect(try await toy.verify("--key", "author.pub").code == 1)
    let result = try await sign("--key", "author.pem")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    for keys in [["--key", "author.pub"], []] {
      let verified = try await toy.conform.run(
        ["verify", "--pack", ToyCertifier.pack, Self.signed, "--key", "own.pub"] + keys)
      #expect(verified.code == 0, "\(verified.output)\(verified.errors)")
    }
    let again = try await sign("--key", "own.pem", output: "again.tar")
    #expect(again.code == 2)
    #expect(again.errors.contains("has already signed"), "\(again.errors)")
    #expect(!toy.scratch.exists("again.tar"))
  }

  @Test func anotherToolSignsTheBytesBesideTheBundle() async throws {
    let made = try await toy.certify("--unsigned")
    #expect(made.code == 0 && made.output.contains("not signed yet"), "\(made.output)\(made.errors)")
    #expect(try await toy.verify().code == 1)
    for (name, file) in [("certificate", "one.sig"), ("test-result", "two.sig")] {
      let bytes = Array(try Data(contentsOf: URL(filePath: toy.scratch.file("\(ToyCertifier.bundle).\(name).pae"))))
      let signature = try toy.ownKey.signature(of: bytes)
      // The first as bytes, the second as text.
      let content = name == "certificate" ? Data(signature) : Data(Data(signature).base64EncodedString().utf8 + [10])
      try content.write(to: URL(filePath: toy.scratch.file(file)))
    }
    let result = try await sign("--public-key", "own.pub", "--signature", "two.sig", "--signature", "one.sig")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(try await toy.verify(bundle: Self.signed).code == 0)
    let twice = try await sign(
      "--public-key", "own.pub", "--signature", "one.sig", "--signature", "one.sig", output: "twice.tar")
    #expect(twice.code == 2)
    #expect(twice.errors.contains("fits the statement 'test-result.dsse.json'"), "\(twice.errors)")
  }

  @Test(arguments: [
    ([], "give either --key, or --public-key"), (["--key", "own.pem", "--signature", "own.pub"], "--key needs none"),
    (["--public-key", "own.pub", "--signature", "own.pub"], "two --signature options"),
    (
      ["--public-key", "own.pub", "--signature", "own.pub", "--signature", "own.pub"],
      "expected a signature of 64 bytes"
    ),
    (["--key", "own.pub"], "found a public key"),
  ])
  func refusesWhatDoesNotSign(words: [String], says: String) async throws {
    try #require(try await toy.certify().code == 0)
    let result = try await toy.conform.run(
      ["sign", "--pack", ToyCertifier.pack, ToyCertifier.bundle, "--output", Self.signed] + words)
    #expect(result.code == 2 && result.errors.contains(says), "\(result.code) \(result.output)\(result.errors)")
    #expect(!toy.scratch.exists(Self.signed))
  }

  @Test func signsNothingThatIsNotValid() async throws {
    try #require(try await toy.certify().code == 0)
    try await toy.makeKey("author")
    var bundle = try ForgedBundle(toy.scratch.file(ToyCertifier.bundle))
    try bundle.edit(bundle.evidence) { $0.replacing("\"at\":0", with: "\"at\": 0") }
    try bundle.write(to: toy.scratch.file(ToyCertifier.bundle))
    let result = try await sign("--key", "author.pem")
    #expect(result.code == 1 && result.output.contains("not signed: "), "\(result.output)\(result.errors)")
    #expect(!toy.scratch.exists(Self.signed))
  }

  @Test func aPassphraseLocksAKey() async throws {
    try toy.scratch.write("secret.txt", "correct horse\n")
    try toy.scratch.write("wrong.txt", "correct house\n")
    let made = try await toy.conform("key", "new", "locked.pem", "--passphrase-file", "secret.txt")
    #expect(made.code == 0 && !made.output.contains("horse"), "\(made.output)\(made.errors)")
    #expect(try toy.scratch.text("locked.pem").hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"))
    let right = try await toy.certify("--key", "locked.pem", "--passphrase-file", "secret.txt")
    #expect(right.code == 0, "\(right.output)\(right.errors)")
    let rows = [
      (["locked.pem", "--passphrase-file", "wrong.txt"], "the passphrase does not fit the key"),
      (["own.pem", "--passphrase-file", "secret.txt"], "the key has no passphrase"),
      (["locked.pem", "--passphrase-file", "own.pem"], "on one line"),
    ]
    for (words, says) in rows {
      let result = try await toy.conform.run(["key", "public"] + words)
      #expect(result.code == 2 && result.errors.contains(says), "\(words) \(result.output)\(result.errors)")
      #expect(!result.errors.contains("horse"))
    }
  }

  /// Types into a terminal, as a person does.
  @Test(arguments: [
    ("correct horse\\r", 0, "BEGIN PUBLIC KEY"),
    ("wrong\\x7f\\x7f\\x7f\\x7f\\x7fcorrect horse\\r", 0, "BEGIN PUBLIC KEY"),
    ("nothing\\r", 2, "the passphrase does not fit the key"), ("\\x03", 2, "the passphrase is empty"),
  ])
  func theTerminalAsksForAPassphrase(typed: String, code: Int, says: String) async throws {
    try toy.scratch.write("secret.txt", "correct horse")
    try #require(try await toy.conform("key", "new", "locked.pem", "--passphrase-file", "secret.txt").code == 0)
    try toy.scratch.write(
      "type.py",
      """
      import os, pty, sys
      child, terminal = pty.fork()
      if child == 0:
          os.execvp("sh", ["sh", "-c", "conform key public locked.pem"])
      text = b""
      typed = False
      while True:
          try:
              piece = os.read(terminal, 4096)
          except OSError:
              break
          if not piece:
              break
          text += piece
          if not typed and b"passphrase of 'locked.pem': " in text:
              typed = True
              os.write(terminal, b"\(typed)")
      sys.stdout.write(text.decode())
      sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

      """)
    let result = try await toy.conform.shell("python3 type.py")
    #expect(result.code == Int32(code), "\(result.output)\(result.errors)")
    #expect(result.output.contains(says) && !result.output.contains("horse"), "\(result.output)")
  }
}
