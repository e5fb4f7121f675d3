import Foundation
import JSONKit
import Testing

/// `conform badge`: the forms of a badge, and the files that it refuses.
@Suite struct BadgeCommandTests {
  private let toy: ToyCertifier

  init() async throws { toy = try await ToyCertifier() }

  private func badge(_ options: String...) async throws -> Command.Result {
    try await toy.conform.run(["badge", "--pack", ToyCertifier.pack, ToyCertifier.record] + options)
  }

  @Test func theTextThePictureAndTheEndpointSayTheSame() async throws {
    let text = try await badge().output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(text.contains(": conformant "), "\(text)")
    #expect(try await badge("--output", "badge.svg").code == 0)
    #expect(try await badge("--output", "badge.json").code == 0)
    #expect(try toy.scratch.text("badge.svg").contains("<title>\(text)</title>"))
    let shields = try JSON(parsing: Array(toy.scratch.text("badge.json").utf8))
    #expect(shields["schemaVersion"] == 1)
    #expect("\(shields["label"]?.string ?? ""): \(shields["message"]?.string ?? "")" == text)
  }

  @Test(
    arguments: [
      (["--output", "badge.png"], "--output expects a file name that ends in .svg or .json, found 'badge.png'"),
      (["--output", "no/such/badge.svg"], "no/such/badge.svg"),
      (["--role", "server"], "name one of them with --role"),
    ])
  func whatCannotBeMadeIsReported(options: [String], error: String) async throws {
    let result = try await toy.conform.run(["badge", "--pack", ToyCertifier.pack, ToyCertifier.record] + options)
    #expect(result.code == 2 && result.errors.contains(error), "\(result.errors)")
  }
}
