import ConformanceVerdict
import JSONKit
import Templates
import Testing

@testable import Certification

@Suite struct ChallengeTests {
  private static let start = Timestamp(milliseconds: 1_800_000_000_000)
  private let challenge = Challenge(issued: start, validMinutes: 60)

  private func header(seed: UInt64, minutes: Int, challenge digest: String? = nil) -> RunRecord.Header {
    RunRecord.Header(
      kit: "conform", protocolName: "cloakroom", specRevision: "1", packDigest: "5f1d",
      startedAt: Timestamp(milliseconds: Self.start.milliseconds + minutes * 60_000).text, gate: .stated, seed: seed,
      challenge: digest ?? challenge.digest, jobs: 1, planned: 1, rerun: "conform run")
  }

  @Test func survivesARoundTripAndIsNeverTheSame() throws {
    #expect(try Challenge(JSONField(challenge.representation)) == challenge)
    #expect(Challenge(issued: Self.start, validMinutes: 60).seed != challenge.seed)
  }

  @Test(arguments: [(0, true), (59, true), (60, false), (-1, false)])
  func acceptsARunThatBeganInItsTime(minutes: Int, isAnswer: Bool) {
    #expect(challenge.problems(of: header(seed: challenge.seed, minutes: minutes)).isEmpty == isAnswer)
  }

  @Test func rejectsAnotherSeed() {
    #expect(
      challenge.problems(of: header(seed: challenge.seed &+ 1, minutes: 1)) == [
        "the seed of the run does not follow from the challenge"
      ])
  }

  @Test func rejectsTheRecordOfAnotherChallenge() {
    let other = Challenge(issued: Self.start, validMinutes: 30).digest
    #expect(
      challenge.problems(of: header(seed: challenge.seed, minutes: 1, challenge: other)) == [
        "the record does not name the challenge by its digest"
      ])
  }

  @Test(arguments: ["", "00", String(repeating: "+1", count: 32), String(repeating: "g", count: 64)])
  func refusesANonceThatIsNone(nonce: String) throws {
    var json = try #require(challenge.representation.object)
    json["nonce"] = .string(nonce)
    #expect(throws: JSONField.Problem.self) { try Challenge(JSONField(.object(json))) }
  }
}
