import ConformanceModel
import JSONKit
import Testing

@testable import ReferenceKit

/// The ways in which any server may legally answer differently.
@Suite struct AnswerVariationTests {
  private let answer = HTTPResponse(
    status: 200, headers: ["Content-Type": "application/json; charset=utf-8", "X-One": "1"],
    body: JSON.object(["a": 1, "b": 2]).compactBytes)

  @Test func noneChangesNothing() { #expect(AnswerVariation().applied(to: answer) == answer) }

  @Test func eachChangesWhatItSays() {
    var variation = AnswerVariation()
    variation.plainContentType = true
    variation.lowerCaseHeaders = true
    variation.reversedMembers = true
    let varied = variation.applied(to: answer)
    #expect(varied.headers.fields.map(\.name) == ["content-type", "x-one"])
    #expect(varied.headers["content-type"] == "application/json")
    #expect(String(decoding: varied.body, as: UTF8.self) == #"{"b":2,"a":1}"#)
  }

  @Test func extraMembersStandBesideTheOthers() throws {
    var variation = AnswerVariation()
    variation.extraMembers = true
    let body = try JSON(parsing: variation.applied(to: answer).body)
    #expect(body["a"] == 1 && body["requestId"] == "b4f1")
  }

  @Test(arguments: ["<p>1</p>", "[1]"])
  func aBodyThatIsNoObjectStays(_ text: String) {
    var variation = AnswerVariation()
    variation.extraMembers = true
    let page = HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
    #expect(variation.applied(to: page).body == page.body)
  }
}
