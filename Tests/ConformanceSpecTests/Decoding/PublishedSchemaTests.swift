import ConformanceSpec
import JSONKit
import Testing

@testable import LinkFortyModel

/// The schemas that others validate with: what they take, and what they refuse.
@Suite struct PublishedSchemaTests {
  private func schema(_ name: String) throws -> JSONSchema {
    let path = "spec/schema/\(name).schema.json"
    let bytes = try CatalogueFolder(root: Sample.repository).bytes(of: path)
    return try JSONSchema(JSON(parsing: bytes))
  }

  @Test(arguments: [
    #"{"jsonrpc": "2.0", "id": 1, "method": "hello", "params": {"protocolVersion": 1, "kit": "k", "protocol": "p"}}"#,
    #"{"jsonrpc": "2.0", "id": "a", "method": "ping"}"#,
    #"{"jsonrpc": "2.0", "id": 1, "method": "trackEvent", "params": {"anything": [1]}}"#,
    #"{"jsonrpc": "2.0", "id": 1, "method": "advance", "params": {"to": 1500.5, "inFlight": 0}}"#,
    #"{"jsonrpc": "2.0", "id": 1, "result": null}"#,
    #"{"jsonrpc": "2.0", "id": 1, "result": {"next": 5}}"#,
    #"{"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "unknown"}}"#,
    #"{"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "not JSON"}}"#,
    #"{"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "m", "data": {"kind": "k", "status": 409}}}"#,
    #"{"jsonrpc": "2.0", "method": "callback", "params": {"handle": "d1", "value": null}}"#,
  ])
  func adapterMessagesAreTaken(message: String) throws {
    #expect(try schema("adapter-message").validate(JSON(parsing: message)).map(\.description) == [])
  }

  @Test(arguments: [
    (#"{"id": 1, "result": null}"#, ["$.jsonrpc: expected \"2.0\", found nothing"]),
    (
      #"{"jsonrpc": "2.0", "id": 1, "reslt": null}"#,
      [
        "$.result: expected a value, found nothing",
        "$.reslt: expected one of the members jsonrpc, id, result, found \"reslt\" — did you mean \"result\"?",
      ]
    ),
    (#"{"jsonrpc": "2.0", "id": 1.5, "result": null}"#, ["$.id: expected an id: an integer or a text, found 1.5"]),
    (
      #"{"jsonrpc": "2.0", "id": 1, "result": 1, "x": 1}"#,
      ["$.x: expected one of the members jsonrpc, id, result, found \"x\""]
    ),
    (
      #"{"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "m"}}"#,
      ["$.error.data: expected a value, found nothing"]
    ),
    (
      #"{"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "m", "data": {"kind": ""}}}"#,
      ["$.error.data.kind: expected a text that is not empty, found \"\""]
    ),
    (
      #"{"jsonrpc": "2.0", "id": 1, "method": "advance", "params": {"to": -1}}"#,
      ["$.params.inFlight: expected a count, 0 or more, found nothing", "$.params.to: expected at least 0, found -1"]
    ),
    (
      #"{"jsonrpc": "2.0", "method": "callback", "params": {"handle": "d1"}}"#,
      ["$.params.value: expected a value, found nothing"]
    ),
    (
      #"{"jsonrpc": "2.0", "method": "log", "params": {"handle": "d1", "value": 1}}"#,
      ["$.method: expected \"callback\", found \"log\""]
    ),
    (#"[]"#, ["$: expected a message of the adapter protocol, found []"]),
  ])
  func otherAdapterMessagesAreRefused(message: String, problems: [String]) throws {
    let found = try schema("adapter-message").validate(JSON(parsing: message)).map(\.description)
    #expect(found == problems)
  }

  @Test(arguments: [
    (
      "positions", #"{"kit": 2, "positions": [{"id": "P-1", "gap": "g", "text": "t", "more": 1}]}"#,
      "$.positions[0].more: expected one of the members id, gap, text, found \"more\""
    ),
    (
      "requirements", #"{"kit": 2, "requirements": [], "x": 1}"#,
      "$.x: expected one of the members kit, requirements, found \"x\""
    ),
    (
      "defects",
      #"{"kit": 2, "defects": [{"id": "A", "side": "sdk", "breaks": "LF-A-001", "noticed": "a", "text": "t"}]}"#,
      "$.defects[0].id: expected an id of lower-case letters, digits, . and -, such as queue.holds-99, found \"A\""
    ),
    (
      "model", #"{"kit": 2, "model": "link", "text": "t", "template": null}"#,
      "$.model: expected a name with a capital, such as DeepLinkData, found \"link\""
    ),
    (
      "exchange",
      #"{"kit": 2, "exchange": "a", "text": "t", "at": "main", "request": {"method": "GET", "path": "/"}, "responses": {"a": {"any": {"status": 200, "body": 1, "text": "x"}}}}"#,
      "$.responses.a.any.text: expected one of the members status, headers, body, found \"text\""
    ),
    (
      "exchange",
      #"{"kit": 2, "exchange": "a", "text": "t", "at": "main", "request": {"method": "GET", "path": "/?a"}, "responses": {}}"#,
      "$.request.path: expected a path that begins with / and has no query, found \"/?a\""
    ),
    (
      "protocol",
      #"{"kit": 2, "protocol": "a", "title": "t", "document": "d", "revision": "1", "services": [{"name": "m", "text": "t"}], "roles": {"sdk": {"driver": "yes"}}, "dialects": ["a"], "features": [], "capabilities": [], "errorKinds": [], "commands": []}"#,
      "$.roles.sdk.driver: expected true or false, found \"yes\""
    ),
  ])
  func unknownMembersAndWrongWordsAreRefused(kind: String, text: String, problem: String) throws {
    #expect(try schema(kind).validate(JSON(parsing: text)).map(\.description) == [problem])
  }
}
