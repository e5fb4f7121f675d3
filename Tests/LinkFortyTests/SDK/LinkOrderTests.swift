import HTTPValues
import JSONKit
import Testing

@testable import LinkForty
@testable import LinkFortyCore
@testable import LinkFortyModel

/// The request with which the SDK creates a link, and the values that it reads from the answer.
@Suite struct LinkOrderTests {
  private static let key = "lf_key_0123456789abcdef"

  private func ordered(_ options: CreateLinkOptions, user: String? = nil) throws -> HTTPRequest {
    let stage = Stage()
    stage.initialize(key: Self.key)
    stage.call(.setExternalUserID(user))
    stage.call(.createLink(options))
    return try #require(stage.requests.last?.request)
  }

  /// The result of an order whose answer has this body.
  private func result(_ answer: JSON, base: String = Stage.base, slug: String? = nil) throws -> Result<JSON, SDKError> {
    let stage = Stage()
    stage.initialize(base, key: Self.key)
    stage.script = [.body(answer)]
    var options = CreateLinkOptions(["templateId": .string(Seeds.templateId)])
    options[text: "templateSlug"] = slug
    return try #require(stage.call(.createLink(options)))
  }

  @Test func theTemplateDecidesTheEndpoint() throws {
    let simple = try ordered(CreateLinkOptions())
    #expect(simple.target == "/api/sdk/v1/links" && Octets(simple.body).json == [:])
    let template = try ordered(CreateLinkOptions(["templateId": .string(Seeds.templateId), "templateSlug": "summer"]))
    #expect(template.target == "/api/links")
    #expect(Octets(template.body).json == ["templateId": .string(Seeds.templateId)])
    #expect(template.headers["Authorization"] == "Bearer \(Self.key)")
  }

  @Test(arguments: [(nil, nil, nil), ("a", nil, "a"), (nil, "b", "b"), ("a", "b", "b"), ("a", "", "")])
  func theUserOfTheCallGoesBeforeTheOneThatWasSet(_ set: String?, _ given: String?, _ sent: String?) throws {
    var options = CreateLinkOptions()
    options[text: "externalUserId"] = given
    let order = try ordered(options, user: set)
    #expect(Octets(order.body).json?["externalUserId"]?.string == sent)
  }

  @Test(arguments: [
    ("http://localhost:8080", "summer", "http://localhost:8080/summer/a"),
    ("http://localhost:8080/", nil, "http://localhost:8080/a"),
    ("http://localhost:8080/links/", "summer", "http://localhost:8080/links/summer/a"),
  ])
  func aRowBecomesALink(_ base: String, _ slug: String?, _ url: String) throws {
    let row: JSON = ["id": "l", "short_code": "a"]
    #expect(try result(row, base: base, slug: slug).get() == ["url": .string(url), "shortCode": "a", "linkId": "l"])
  }

  @Test(
    arguments: [
      [:], ["id": "l"], ["short_code": "a"], ["id": "l", "short_code": ""], ["url": "u", "shortCode": "a"],
      ["url": "", "shortCode": "a", "linkId": "l"], [], .null, "a",
    ] as [JSON])
  func halfALinkIsNone(_ answer: JSON) throws {
    #expect(try result(answer).kind == .decoding)
  }

  @Test func theServersURLIsTakenAsItIs() throws {
    let link: JSON = ["url": "https://go.example.com/x?y#z", "shortCode": "a", "linkId": "l", "deduplicated": true]
    #expect(try result(link, slug: "summer").get() == link)
  }
}
