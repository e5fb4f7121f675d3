import HTTPValues
import JSONKit
import Testing

@testable import ReferenceKit

/// The ways in which any server may legally answer differently.
@Suite struct AnswerVariationTests {
  private static let answer = HTTPResponse(
    status: 200, headers: ["Content-Type": "application/json; charset=utf-8", "X-One": "1"],
    body: JSON.object(["a": 1, "b": "x/y"]).compactBytes)

  private func varied(_ kinds: Set<AnswerVariation.Kind>, _ response: HTTPResponse = answer) -> HTTPResponse {
    AnswerVariation(kinds).applied(to: response)
  }

  @Test func noneChangesNothing() { #expect(varied([]) == Self.answer) }

  @Test(arguments: AnswerVariation.Kind.allCases)
  func eachChangesTheFormAndNothingThatIsSaid(_ kind: AnswerVariation.Kind) throws {
    let varied = varied([kind])
    #expect(varied != Self.answer)
    #expect(varied.status == 200 && varied.headers["X-One"] == "1")
    #expect(varied.headers["Content-Type"]?.hasPrefix("application/json") == true)
    let body = try JSON(parsing: varied.body)
    #expect(body["a"] == 1 && body["b"] == "x/y")
    #expect(body.object?.members.count == (kind == .extraMembers ? 4 : 2))
  }

  @Test(
    arguments: [
      (.capitalCharset, "application/json;charset=UTF-8"), (.plainContentType, "application/json"),
    ] as [(AnswerVariation.Kind, String)])
  func aContentTypeHasMoreThanOneSpelling(kind: AnswerVariation.Kind, type: String) {
    #expect(varied([kind]).headers["content-type"] == type)
  }

  @Test(
    arguments: [
      (.reversedMembers, #"{"b":"x/y","a":1}"#), (.escapedSlashes, #"{"a":1,"b":"x\/y"}"#),
      (.spacedJSON, "{\n  \"a\": 1,\n  \"b\": \"x/y\"\n}"),
    ] as [(AnswerVariation.Kind, String)])
  func aBodyHasMoreThanOneSpelling(kind: AnswerVariation.Kind, text: String) {
    #expect(String(decoding: varied([kind]).body, as: UTF8.self) == text)
  }

  @Test func fieldsHaveAnotherOrderAndSmallLetters() {
    #expect(varied([.reversedHeaders, .lowerCaseHeaders]).headers.fields.map(\.name) == ["x-one", "content-type"])
  }

  /// RFC 9112 §6.1: what has no body does not say how one travels.
  @Test func onlyABodyTravelsInChunks() {
    #expect(varied([.chunked]).headers["Transfer-Encoding"] == "chunked")
    #expect(varied([.chunked], HTTPResponse(status: 204)).headers.fields.isEmpty)
  }

  @Test(arguments: ["<p>1</p>", "[1]"])
  func aBodyThatIsNoObjectKeepsWhatItHas(_ text: String) {
    let page = HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
    #expect(varied([.extraMembers, .reversedMembers], page).body == page.body)
  }
}
