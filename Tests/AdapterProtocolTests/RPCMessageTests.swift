import JSONKit
import Testing

@testable import AdapterProtocol

@Suite struct RPCMessageTests {
  static let messages: [(RPCMessage, String)] = [
    (
      .request(id: 4, method: "ping", params: [:]), #"{"jsonrpc":"2.0","id":4,"method":"ping","params":{}}"#
    ),
    (
      .notification(method: "callback", params: ["handle": "d1", "value": .null]),
      #"{"jsonrpc":"2.0","method":"callback","params":{"handle":"d1","value":null}}"#
    ),
    (.result(id: 4, .null), #"{"jsonrpc":"2.0","id":4,"result":null}"#),
    (.result(id: 4, ["a": 1.5]), #"{"jsonrpc":"2.0","id":4,"result":{"a":1.5}}"#),
    (
      .failure(id: 4, RPCError(code: -32601, message: "no such command")),
      #"{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"no such command"}}"#
    ),
    (
      .failure(id: 4, RPCError(code: -32000, message: "HTTP 409", data: ["kind": "serverError", "status": 409])),
      #"{"jsonrpc":"2.0","id":4,"error":{"code":-32000,"message":"HTTP 409","data":{"kind":"serverError","status":409}}}"#
    ),
    (
      .refusal(RPCError(code: -32700, message: "Parse error")),
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#
    ),
  ]

  @Test(arguments: messages)
  func isOneLineBothWays(message: RPCMessage, line: String) throws {
    #expect(message.line == Array(line.utf8) + [0x0A])
    #expect(try RPCMessage(line: Array(line.utf8)) == message)
  }

  @Test func toleratesBlanksAndAnyOrder() throws {
    let line = Array(" {\"result\" : 1.5, \"id\": 3 , \"jsonrpc\":\"2.0\"}\r".utf8)
    #expect(try RPCMessage(line: line) == .result(id: 3, 1.5))
    #expect(
      try RPCMessage(line: Array(#"{"jsonrpc":"2.0","method":"x"}"#.utf8)) == .notification(method: "x", params: [:]))
  }

  @Test(
    arguments: [
      ("", nil, "stdout has an empty line"),
      (" \r", nil, "stdout has an empty line"),
      (
        "Hello\u{7}", nil,
        #"is not JSON at byte 0: expected a value, found 'H'; logs belong on stderr. It begins: Hello\u{7}"#
      ),
      (
        "\u{feff}{}", nil,
        #"found byte 0xef; it begins with a byte order mark: write UTF-8 without one. It begins: \u{FEFF}{}"#
      ),
      ("Content-Length: 262\r", nil, "it is a header of messages as the Language Server Protocol frames them"),
      ("> Task :adapter:run", nil, "it is output of Gradle: start the program without the tool"),
      ("> my-adapter@1.0.0 start", nil, "it is output of npm"),
      ("Building package executable...", nil, "it is output of Dart"),
      (#"{"jsonrpc":"2.0","id":1,"result":null}{"#, nil, "is not JSON at byte 38: expected end of text"),
      (#"[{"jsonrpc":"2.0","id":1,"result":null}]"#, nil, "is a batch"),
      ("7", nil, "is not a message: $: expected a message, which is an object, found 7"),
      ("{}", nil, #"$.jsonrpc: expected "2.0", found nothing"#),
      (#"{"jsonrpc":"1.0","id":1,"result":1}"#, 1, #"$.jsonrpc: expected "2.0", found "1.0""#),
      (#"{"jsonrpc":2.0,"id":1,"result":1}"#, 1, #"expected "2.0", found 2.0"#),
      (#"{"jsonrpc":"2.0"}"#, nil, "expected 'result' or 'error' with an 'id', or a 'method'"),
      (#"{"jsonrpc":"2.0","id":1}"#, 1, "expected 'result' (null when there is nothing to say) or 'error'"),
      (#"{"jsonrpc":"2.0","result":1}"#, nil, "$.id: expected a value, found nothing"),
      (#"{"jsonrpc":"2.0","id":"1","result":1}"#, nil, #"$.id: expected an integer, found "1""#),
      (#"{"jsonrpc":"2.0","id":1,"result":1,"error":null}"#, 1, "either 'result' or 'error'"),
      (#"{"jsonrpc":"2.0","id":1,"id":2,"result":1}"#, 2, "$.id: expected the member once, found it twice"),
      (#"{"jsonrpc":"2.0","id":1,"error":{"message":"x"}}"#, 1, "$.error.code: expected a value, found nothing"),
      (#"{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"x"}}"#, 1, "$.error.code: expected an integer"),
      (#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#, 1, "$.error.message: expected a value"),
      (#"{"jsonrpc":"2.0","id":1,"error":"x"}"#, 1, "$.error: expected an object"),
      (#"{"jsonrpc":"2.0","method":7}"#, nil, "$.method: expected a string, found 7"),
    ] as [(String, Int?, String)])
  func refuses(line: String, id: Int?, reason: String) {
    let breach = #expect(throws: RPCBreach.self) { try RPCMessage(line: Array(line.utf8)) }
    #expect(breach?.text.contains(reason) == true, "\(breach?.text ?? "")")
    #expect(breach?.id == id)
  }

  @Test func refusesWhatIsNotUTF8() {
    let line = Array(#"{"jsonrpc":"2.0","id":1,"result":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
    let breach = #expect(throws: RPCBreach.self) { try RPCMessage(line: line) }
    #expect(
      breach?.text == #"a line on stdout is not UTF-8 at byte 34. It begins: {"jsonrpc":"2.0","id":1,"result":"\xFF"}"#)
  }
}
