import Foundation
import Testing

/// A certificate is about a frozen set: later cases are not scored, and a change needs another set.
@Suite struct FreezeTests {
  private let toy: ToyCertifier

  private static let cases = ToyCertifier.pack + "/cases/all.yaml"
  private static let set = ToyCertifier.pack + "/requirements/frozen/2026-01-01.yaml"

  init() async throws {
    toy = try await ToyCertifier()
    let frozen = try await toy.conform("freeze", "--pack", ToyCertifier.pack)
    try #require(frozen.code == 0, "\(frozen.output)\(frozen.errors)")
    try #require(frozen.output == "wrote \(Self.set): 4 requirements, 5 cases\n", "\(frozen.output)")
  }

  private func lint() async throws -> Command.Result { try await toy.conform("lint", "--pack", ToyCertifier.pack) }

  /// Adds a case that the SDK fails.
  private func addCase() throws {
    let late = """
        - case: app.late
          title: The app gets another coat for its number
          role: sdk
          steps:
            - { answer: swap, response: default, where: { body: { $only: { number: "1" } } }, with: { coat: "${unique}" } }
            - { call: fetch, with: { url: "${counter.url}", number: "1" }, as: coat, need: either }
          claims: [{ requirement: CR-003, returns: { coat: "another coat" } }]

      """
    try toy.scratch.write(Self.cases, toy.scratch.text(Self.cases) + late)
  }

  @Test func aCertificateNamesItsSet() async throws {
    try #require(try await lint().code == 0)
    try #require(try await toy.run().code == 0)
    let result = try await toy.certify()
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    let verified = try await toy.verify()
    #expect(verified.code == 0, "\(verified.output)\(verified.errors)")
    #expect(
      verified.output.contains("proves: It keeps the frozen set '2026-01-01': 1 of the cases count."),
      "\(verified.output)")
  }

  @Test func aLaterCaseIsNotScored() async throws {
    try addCase()
    #expect(try await lint().code == 0)
    try #require(try await toy.run().code == 1)
    let result = try await toy.certify()
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    let note = "not scored: 1 case later than the frozen set '2026-01-01'. The report judges them too"
    #expect(result.output.contains(note), "\(result.output)")
    try #require(try await toy.conform("registry", "init", "reg", "--key", "own.pub").code == 0)
    let added = try await toy.conform("registry", "add", "reg", ToyCertifier.bundle, "--pack", ToyCertifier.pack)
    let id = String(try #require(added.output.firstMatch(of: /^added ([0-9a-f]{16})/)).1)
    try #require(try await toy.conform("registry", "site", "reg", "--output", "public").code == 0)
    let page = try toy.scratch.text("public/certificates/\(id).html")
    #expect(page.contains("The report of the run</a>, not scored: 1 case later than the frozen set"), "\(page)")
    let verified = try await toy.verify()
    #expect(verified.code == 0, "\(verified.output)\(verified.errors)")
    #expect(
      verified.output.contains("does not prove: The cases later than the frozen set conform: 1 case, not scored."),
      "\(verified.output)")
    let python = "python3 -B '\(ToyCertifier.examples)/verify-python/verify.py' \(ToyCertifier.bundle) --key own.pub"
    #expect(try await toy.conform.shell(python).code == 0)
  }

  @Test func withoutASetEachCaseIsScored() async throws {
    try FileManager.default.removeItem(atPath: toy.scratch.file(Self.set))
    try addCase()
    try #require(try await toy.run().code == 1)
    let result = try await toy.certify()
    #expect(result.code == 1)
    #expect(result.output.contains("not certified: the conclusion of the run is 'not-conformant'"), "\(result.output)")
  }

  @Test func aChangeNeedsAnotherSet() async throws {
    let old = try toy.scratch.text(Self.cases)
    try toy.scratch.write(Self.cases, old.replacing("The app gets the coat", with: "The app has the coat"))
    let refused = try await lint()
    #expect(refused.code == 2)
    #expect(
      refused.output.contains("expected as it was when the set '2026-01-01' was frozen, found a change"),
      "\(refused.output)")
    // A run needs no set; a certificate does.
    try #require(try await toy.run().code == 0)
    let result = try await toy.certify()
    #expect(result.code == 1)
    #expect(
      result.output.contains("1 cases changed since the set '2026-01-01' was frozen, such as 'app.fetch'"),
      "\(result.output)")
    let again = try await toy.conform("freeze", "--pack", ToyCertifier.pack)
    #expect(again.code == 0 && again.output.contains("frozen/2026-01-01-2.yaml"), "\(again.output)\(again.errors)")
    #expect(try await lint().code == 0)
    #expect(try await toy.conform("freeze", "--pack", ToyCertifier.pack).output.contains("nothing changed since"))
  }

  /// The kit of the verifier has a later release: another case, and its set.
  private func releaseAgain() async throws {
    let old = try toy.scratch.text(Self.cases)
    try toy.scratch.write(Self.cases, old.replacing("The app gets the coat", with: "The app has the coat"))
    try #require(try await toy.conform("freeze", "--pack", ToyCertifier.pack).code == 0)
  }

  @Test func aCertificateOutlivesALaterRelease() async throws {
    try #require(try await toy.run().code == 0)
    try #require(try await toy.certify().code == 0)
    try await releaseAgain()
    let verified = try await toy.verify()
    #expect(verified.code == 0, "\(verified.output)\(verified.errors)")
    #expect(
      verified.output.contains("proves: It keeps the frozen set '2026-01-01': 1 of the cases count."),
      "\(verified.output)")
    #expect(
      verified.output.contains("does not prove: The models of messages are those of the kit: it contains a later"),
      "\(verified.output)")
    let checked = try await toy.conform("registry", "init", "reg", "--key", "own.pub")
    try #require(checked.code == 0)
    let added = try await toy.conform("registry", "add", "reg", ToyCertifier.bundle, "--pack", ToyCertifier.pack)
    #expect(added.code == 0, "\(added.output)\(added.errors)")
  }

  /// The files of a bundle count only with a set that the kit knows.
  @Test(arguments: [
    (true, "whose frozen set '2026-01-01' this kit does not have: verify with that kit"),
    (false, "which has no frozen set: verify with that kit"),
  ])
  func anUnknownReleaseIsRefused(isFrozen: Bool, says: String) async throws {
    if !isFrozen { try FileManager.default.removeItem(atPath: toy.scratch.file(Self.set)) }
    try #require(try await toy.run().code == 0)
    try #require(try await toy.certify().code == 0)
    if isFrozen { try FileManager.default.removeItem(atPath: toy.scratch.file(Self.set)) }
    try await releaseAgain()
    let verified = try await toy.verify()
    #expect(verified.code == 1 && verified.output.contains(says), "\(verified.output)\(verified.errors)")
  }

  @Test func theDataOfTheProgramCannotBeFrozen() async throws {
    let result = try await toy.conform("freeze")
    #expect(result.code == 2 && result.errors.contains("name a folder with --root or --pack"), "\(result.errors)")
  }
}
