import ConformanceTranscript
import JSONKit

/// A JSON-RPC 2.0 message in the form of the adapter protocol: ids are integers, and there are no batches.
package enum RPCMessage: Hashable, Sendable {
  /// A command to the adapter.
  case request(id: Int, method: String, params: JSON)
  /// A message from the adapter that is not the reply to a command.
  case notification(method: String, params: JSON)
  /// The reply to a command that succeeded.
  case result(id: Int, JSON)
  /// The reply to a command that failed.
  case failure(id: Int, RPCError)
  /// The reply to a line that could not be parsed. The id of this reply is null.
  case refusal(RPCError)
}

/// The error of a reply. Source: JSON-RPC 2.0 §5.1.
package struct RPCError: Hashable, Sendable {
  /// The code for a line that is not a request, or a request that is not allowed now.
  package static let invalidRequest = -32600
  /// The code for a method that does not exist.
  package static let methodNotFound = -32601
  /// The code for invalid parameters.
  package static let invalidParams = -32602
  /// The code for a command that failed. The `data` of its reply contains the error.
  package static let failed = -32000

  package var code: Int
  package var message: String
  package var data: JSON?

  package init(code: Int, message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// The error in the reply to a command that failed with `error`.
  package init(_ error: CommandError) {
    var details = error
    details.message = nil
    self.init(code: Self.failed, message: error.message ?? error.kind, data: details.representation)
  }
}

/// How a message reached the kit. Texts about the message name it.
package enum MessageSource: Sendable {
  /// The message was a line on the stdout of a process.
  case output
  /// The message came through a carrier, such as a WebSocket.
  case carrier

  /// The subject of a sentence about the message.
  package var noun: String { self == .output ? "a line on stdout" : "a message of the adapter" }

  fileprivate var empty: String {
    self == .output
      ? "stdout has an empty line; expected one message on each line"
      : "the adapter sent an empty message; expected one JSON object in each message"
  }

  fileprivate var batch: String {
    "is a batch; expected \(self == .output ? "one message on each line" : "one JSON object in each message")"
  }
}

/// A line that is not a valid message.
package struct RPCBreach: Error, Hashable {
  /// The problem, the expected form, and the beginning of the line.
  package var text: String
  /// The id of the command to which the line seems to reply; nil if the line has no such id.
  package var id: Int?
}

extension RPCMessage: JSONRepresentable, JSONObjectEncodable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("jsonrpc", "2.0")
    switch self {
    case .request(let id, let method, let params):
      members.add("id", id)
      members.add("method", method)
      members.add("params", params)
    case .notification(let method, let params):
      members.add("method", method)
      members.add("params", params)
    case .result(let id, let value):
      members.add("id", id)
      members.add("result", value)
    case .failure(let id, let error):
      members.add("id", id)
      members.add("error", error)
    case .refusal(let error):
      members.add("id", JSON.null)
      members.add("error", error)
    }
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    guard case .object(let object) = field.value else { throw field.problem(expected: "a message, which is an object") }
    if let key = object.duplicateKey {
      throw .init(path: field.path.appending(key: key), expected: "the member once", found: "it twice")
    }
    guard object["jsonrpc"] == "2.0" else {
      throw .init(
        path: field.path.appending(key: "jsonrpc"), expected: "\"2.0\"",
        found: object["jsonrpc"]?.excerpt ?? "nothing")
    }
    self = object["method"] == nil ? try Self.reply(object, field) : try Self.call(object, field)
  }

  private static func call(_ object: JSON.Object, _ field: JSONField) throws(JSONField.Problem) -> RPCMessage {
    let method = try field.required("method").string()
    let params = object["params"] ?? .object(.init())
    guard object["id"] != nil else { return .notification(method: method, params: params) }
    return .request(id: try field.required("id").int(), method: method, params: params)
  }

  private static func reply(_ object: JSON.Object, _ field: JSONField) throws(JSONField.Problem) -> RPCMessage {
    guard object["id"] != nil || object["result"] != nil || object["error"] != nil else {
      throw field.problem(expected: "'result' or 'error' with an 'id', or a 'method'")
    }
    if object["id"] == .null, object["error"] != nil { return .refusal(try RPCError(try field.required("error"))) }
    let id = try field.required("id").int()
    switch (object["result"], object["error"]) {
    case (let value?, nil): return .result(id: id, value)
    case (nil, _?): return .failure(id: id, try RPCError(try field.required("error")))
    case (nil, nil):
      throw field.problem(expected: "'result' (null when there is nothing to say) or 'error'")
    case (_?, _?):
      throw field.problem(expected: "either 'result' or 'error', also when one of them is null")
    }
  }
}

extension RPCError: JSONRepresentable, JSONObjectEncodable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("code", code)
    members.add("message", message)
    members.add("data", data)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    code = try field.required("code").int()
    message = try field.required("message").string()
    data = field.value["data"]
  }
}

extension RPCMessage {
  /// The message as one line, with the line end.
  package var line: [UInt8] {
    var writer = JSONWriter()
    writer.write(line: self)
    return writer.bytes
  }

  /// Parses a line without its end.
  package init(line: [UInt8], from source: MessageSource = .output) throws(RPCBreach) {
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
      throw RPCBreach(text: source.empty)
    }
    if let offset = VisibleBytes.firstInvalidOffset(in: line) {
      throw source.breach("is not UTF-8 at byte \(offset)", line)
    }
    let value: JSON
    do {
      value = try JSON(parsing: line)
    } catch {
      throw source.breach("is \(error); \(StrayLine.advice(on: line, from: source))", line)
    }
    if case .array = value { throw source.breach(source.batch, line) }
    do {
      self = try RPCMessage(JSONField(value))
    } catch {
      throw source.breach("is not a message: \(error)", line, id: value["method"] == nil ? value["id"]?.int : nil)
    }
  }
}

extension MessageSource {
  fileprivate func breach(_ problem: String, _ line: [UInt8], id: Int? = nil) -> RPCBreach {
    RPCBreach(text: "\(noun) \(problem). It begins: \(VisibleBytes.text(line))", id: id)
  }
}
