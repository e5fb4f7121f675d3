import Foundation
import JSONKit
import Testing

/// A registry lists what verifies, and notices what does not any more.
@Suite struct RegistryTests {
  private let toy: ToyCertifier

  init() async throws {
    toy = try await ToyCertifier()
    try #require(try await toy.certify().code == 0)
    try #require(try await toy.conform("registry", "init", "reg", "--key", "own.pub").code == 0)
  }

  private func registry(_ words: String...) async throws -> Command.Result {
    let needsPack = ["add", "check", "site"].contains(words[0])
    return try await toy.conform.run(["registry"] + words + (needsPack ? ["--pack", ToyCertifier.pack] : []))
  }

  /// Adds the bundle of the toy, and gives its id.
  private func added() async throws -> String {
    let result = try await registry("add", "reg", ToyCertifier.bundle)
    try #require(result.code == 0, "\(result.output)\(result.errors)")
    return String(try #require(result.output.firstMatch(of: /^added ([0-9a-f]{16})  valid/)).1)
  }

  @Test func listsWhatVerifies() async throws {
    #expect(try await registry("list", "reg").output == "the registry is empty\n")
    let id = try await added()
    let list = try await registry("list", "reg").output
    #expect(list.hasPrefix("\(id)  valid      until 2"), "\(list)")
    #expect(list.hasSuffix("  cloakroom conformant  cloakroom-python 1.0.0\n"), "\(list)")
    let check = try await registry("check", "reg")
    #expect(check.code == 0 && check.output == "checked 1 certificate: all in order\n", "\(check.output)")
    let again = try await registry("add", "reg", ToyCertifier.bundle)
    #expect(again.code == 2 && again.errors.contains("is already in the registry, as \(id)"), "\(again.errors)")
  }

  @Test func refusesWhatNoTrustedKeySigned() async throws {
    try await toy.makeKey("other")
    try #require(try await toy.conform("registry", "init", "theirs", "--key", "other.pub").code == 0)
    let result = try await registry("add", "theirs", ToyCertifier.bundle)
    #expect(result.code == 1)
    #expect(result.output.contains("not added: no key of the registry signed it"), "\(result.output)")
    #expect(try await registry("list", "theirs").output == "the registry is empty\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: toy.scratch.file("theirs/certificates")).isEmpty)
  }

  @Test func revokesOnceAndVerifySaysSo() async throws {
    let id = try await added()
    #expect(try await toy.verify("--registry", "reg").code == 0)
    #expect(try await registry("revoke", "reg", id, "--reason", "The build was another.").code == 0)
    let verified = try await toy.verify("--registry", "reg")
    #expect(verified.code == 5 && verified.output.hasPrefix("revoked: "), "\(verified.output)")
    #expect(verified.output.contains("The build was another."))
    #expect(try await registry("list", "reg").output.contains("\(id)  revoked "))
    #expect(try await registry("check", "reg").code == 0)
    #expect(try await registry("revoke", "reg", id, "--reason", "Again.").errors.contains("is already revoked"))
    #expect(try await registry("revoke", "reg", "0123", "--reason", "No.").errors.contains("unknown certificate"))
  }

  /// A further signature makes another bundle of the same certificate.
  @Test func aFurtherSignatureDoesNotHideARevocation() async throws {
    let id = try await added()
    try #require(try await registry("revoke", "reg", id, "--reason", "The build was another.").code == 0)
    try await toy.makeKey("other")
    try #require(
      try await toy.conform(
        "sign", ToyCertifier.bundle, "--key", "other.pem", "--output", "twice.tar", "--pack", ToyCertifier.pack
      ).code == 0)
    let verified = try await toy.verify("--registry", "reg", bundle: "twice.tar")
    #expect(verified.code == 5 && verified.output.hasPrefix("revoked: "), "\(verified.output)\(verified.errors)")
    let again = try await registry("add", "reg", "twice.tar")
    #expect(again.code == 2 && again.errors.contains("is already in the registry, as \(id)"), "\(again.errors)")
  }

  /// The registry shows and checks a protocol that is only in the bundle.
  @Test func aProtocolOutsideTheKitHasPages() async throws {
    let id = try await added()
    for words in [["site", "reg", "--output", "public"], ["check", "reg"]] {
      let result = try await toy.conform.run(["registry"] + words)
      #expect(result.code == 0, "\(result.output)\(result.errors)")
    }
    #expect(try toy.scratch.text("public/reports/\(id).html").contains("CR-003"))
  }

  @Test func theIndexHasItsSchema() async throws {
    let id = try await added()
    try #require(try await registry("revoke", "reg", id, "--reason", "Another build.").code == 0)
    let schema = try JSONSchema.published("registry")
    let lines = try toy.scratch.text("reg/index.jsonl").split(separator: "\n").map { try JSON(parsing: String($0)) }
    #expect(lines.count == 2)
    for line in lines { #expect(schema.validate(line).map { "\($0)" } == []) }
    #expect(!schema.validate(["registry": 2]).isEmpty)
  }

  @Test func remindsAndExpires() async throws {
    _ = try await added()
    let soon = Date().addingTimeInterval(340 * 86_400).formatted(.iso8601)
    let check = try await registry("check", "reg", "--at", soon)
    #expect(check.code == 0 && check.output.hasPrefix("renew: "), "\(check.output)\(check.errors)")
    #expect(try await registry("list", "reg", "--at", "2100-01-01T00:00:00Z").output.contains("  expired "))
  }

  @Test func showsPages() async throws {
    let id = try await added()
    let site = try await registry("site", "reg", "--output", "public", "--address", "https://example.org/certificates")
    #expect(site.code == 0 && site.output == "public/index.html: 1 certificate\n", "\(site.output)\(site.errors)")
    let list = try toy.scratch.text("public/index.html")
    #expect(list.contains("<a href=\"certificates/\(id).html\">cloakroom-python 1.0.0</a>"))
    #expect(list.contains("<td class=\"done\">valid</td>") && list.contains("tier=conformant"))
    let page = try toy.scratch.text("public/certificates/\(id).html")
    #expect(page.contains("<a href=\"https://example.org/certificates/\(id).conformance.tar\">"), "\(page)")
    #expect(!toy.scratch.exists("public/certificates/\(id).conformance.tar"))
    #expect(page.contains(">conform run --pack cloakroom --sdk &#39;python3 cloakroom_adapter.py&#39;"), "\(page)")
    #expect(!page.contains("--output"))
    #expect(page.contains("Each verdict follows from the transcripts in the bundle: 1 verdict in 1 case."), "\(page)")
    #expect(try toy.scratch.text("public/reports/\(id).html").contains("CR-003"))
    let badge = try toy.scratch.text("public/badges/\(id).json")
    #expect(badge.contains("certified for 2026-01-01 until 20") && badge.contains("brightgreen"), "\(badge)")
  }

  /// A reader saves the files to which a page links, and runs the command of the page.
  @Test func theCommandOfAPageVerifiesTheFilesOfThePage() async throws {
    let id = try await added()
    try #require(try await registry("site", "reg", "--output", "public").code == 0)
    let page = try toy.scratch.text("public/certificates/\(id).html")
    try FileManager.default.createDirectory(atPath: toy.scratch.file("saved"), withIntermediateDirectories: false)
    let links = page.matches(of: /<a href="([^"#]+\.(?:tar|pub))">([^<]+)</)
    try #require(links.count == 2, "\(page)")
    for link in links {
      let file = URL(filePath: toy.scratch.file("public/certificates/\(link.1)")).standardized
      try FileManager.default.copyItem(at: file, to: URL(filePath: toy.scratch.file("saved/\(link.2)")))
    }
    let command = try #require(page.firstMatch(of: />(conform verify [^<]+)</)).1
    let result = try await toy.conform.shell("cd saved && \(command)")
    #expect(result.code == 0 && result.output.hasPrefix("valid: "), "\(command): \(result.output)\(result.errors)")
  }

  /// The dashboard of the runs and the pages of the registry are one site, and each link leads to one of its files.
  @Test func aDashboardIncludesTheCertificates() async throws {
    let id = try await added()
    let command = ["site", ToyCertifier.record, "--pack", ToyCertifier.pack, "--output", "public"]
    let site = try await toy.conform.run(command + ["--registry", "reg"])
    #expect(site.code == 0, "\(site.output)\(site.errors)")
    let pages = ["index.html", "certificates.html", "certificates/\(id).html", "evidence.html"]
    for page in pages {
      let links = try toy.scratch.text("public/\(page)").matches(of: /<a href="([^"#]+)[^"]*"/).map { String($0.1) }
      #expect(!links.isEmpty)
      let folder = URL(filePath: toy.scratch.file("public/\(page)")).deletingLastPathComponent()
      for link in links {
        let file = folder.appending(path: link).standardized.path
        #expect(FileManager.default.fileExists(atPath: file), "\(page) links \(link)")
      }
    }
    #expect(try toy.scratch.text("public/index.html").contains("<a href=\"certificates.html\">Certificates</a>"))
    #expect(try await toy.conform.run(command).code == 0)
    #expect(pages.map { toy.scratch.exists("public/\($0)") } == [true, false, false, false])
    #expect(try !toy.scratch.text("public/index.html").contains("certificates.html"))
  }

  @Test func anAddressIsThatOfTheWeb() async throws {
    let result = try await registry("site", "reg", "--output", "public", "--address", "certificates")
    #expect(result.code == 2 && result.errors.contains("begins with https:// or http://"), "\(result.errors)")
  }

  @Test func pagesNeverCallABadCertificateValid() async throws {
    let id = try await added()
    func status(_ words: String...) async throws -> String {
      let site = try await toy.conform.run(
        ["registry", "site", "reg", "--output", "public", "--pack", ToyCertifier.pack] + words)
      try #require(site.code == 0, "\(site.output)\(site.errors)")
      return try toy.scratch.text("public/index.json") + toy.scratch.text("public/badges/\(id).json")
    }
    #expect(try await status("--at", "2100-01-01T00:00:00Z").contains("\"status\": \"expired\""))
    try #require(try await registry("revoke", "reg", id, "--reason", "Another <build>.").code == 0)
    let revoked = try await status()
    #expect(revoked.contains("\"status\": \"revoked\"") && revoked.contains("certificate revoked"), "\(revoked)")
    #expect(try toy.scratch.text("public/certificates/\(id).html").contains("Another &lt;build&gt;."))
    let bundle = "reg/certificates/\(id).conformance.tar"
    let content = try Data(contentsOf: URL(filePath: toy.scratch.file(bundle)))
    try (content + [0]).write(to: URL(filePath: toy.scratch.file(bundle)))
    #expect(try await status().contains("\"status\": \"not valid\""))
  }

  /// A change in the folder, and the message about it.
  @Test func checkFindsWhatWasChanged() async throws {
    let id = try await added()
    let bundle = "reg/certificates/\(id).conformance.tar"
    let content = try Data(contentsOf: URL(filePath: toy.scratch.file(bundle)))
    let index = try toy.scratch.text("reg/index.jsonl")
    try toy.scratch.write("reg/index.jsonl", index.replacing("cloakroom-python 1.0.0", with: "better 2.0.0"))
    #expect(try await registry("check", "reg").output.contains("the index says something else than the bundle"))
    try toy.scratch.write("reg/index.jsonl", index)
    try (content + [0]).write(to: URL(filePath: toy.scratch.file(bundle)))
    #expect(try await registry("check", "reg").output.contains("is not the bundle that was added"))
    try FileManager.default.removeItem(atPath: toy.scratch.file(bundle))
    let missing = try await registry("check", "reg")
    #expect(missing.code == 1 && missing.output.contains("wrong: \(id): there is no '\(bundle)'"), "\(missing.output)")
    try content.write(to: URL(filePath: toy.scratch.file(bundle)))
    try toy.scratch.write("reg/certificates/extra.tar", "")
    #expect(try await registry("check", "reg").output.contains("'certificates/extra.tar' is not in the index"))
  }

  @Test(arguments: [
    ("", "expected the version"), ("{}\n", "index.jsonl:1"),
    ("{\"registry\":2}\n", "a later version needs a later kit"),
    ("{\"registry\":1}\n{\"digest\":\"x\"}\n", "index.jsonl:2"),
  ])
  func refusesADamagedIndex(text: String, says: String) async throws {
    try toy.scratch.write("reg/index.jsonl", text)
    let result = try await registry("list", "reg")
    #expect(result.code == 2 && result.errors.contains(says), "\(result.errors)")
  }

  @Test func refusesAFolderThatIsNoRegistryOrNotEmpty() async throws {
    #expect(try await registry("list", "Examples").errors.contains("is not a registry"))
    #expect(try await registry("init", "Examples", "--key", "own.pub").errors.contains("is not empty"))
    #expect(try await registry("init", "new", "--key", "own.pub", "--key", "own.pub").errors.contains("the same key"))
  }
}
