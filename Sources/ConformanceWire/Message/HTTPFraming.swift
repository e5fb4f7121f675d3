/// The way in which the reader finds the end of a message's body (RFC 9112 §6.3).
enum HTTPFraming: Hashable {
  case sized(Int)
  case chunked
  case untilClose

  init(of message: HTTPMessage, kind: HTTPMessageReader.Kind) throws(HTTPProblem) {
    if case .response(let method) = kind, Self.hasNoBody(message.status, method) {
      self = .sized(0)
      return
    }
    let codings = message.headers.values("Transfer-Encoding")
    let lengths = message.headers.values("Content-Length")
    switch (codings.isEmpty, lengths.isEmpty) {
    case (false, false): throw .malformed("both Transfer-Encoding and Content-Length")
    case (false, true): self = try Self.coded(codings, isVersion10: message.isVersion10)
    case (true, false): self = .sized(try Self.length(lengths))
    case (true, true): self = kind == .requests ? .sized(0) : .untilClose
    }
  }

  private static func hasNoBody(_ status: Int, _ method: String) -> Bool {
    method == "HEAD" || status / 100 == 1 || status == 204 || status == 304
  }

  private static func coded(_ codings: [String], isVersion10: Bool) throws(HTTPProblem) -> HTTPFraming {
    if isVersion10 { throw .malformed("Transfer-Encoding in a message of HTTP/1.0") }
    let names = codings.flatMap { $0.split(separator: ",") }.map(\.trimmed)
    guard names.count == 1, names[0].equalsIgnoringCase("chunked") else {
      throw .malformed("a Transfer-Encoding other than 'chunked': '\(names.joined(separator: ", "))'")
    }
    return .chunked
  }

  private static func length(_ lengths: [String]) throws(HTTPProblem) -> Int {
    let values = lengths.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map(\.trimmed)
    guard values.allSatisfy({ $0 == values[0] }) else {
      throw .malformed("two different Content-Length: \(values.joined(separator: " and "))")
    }
    guard values[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }), !values[0].isEmpty else {
      throw .malformed("a Content-Length that is not a number: '\(values[0])'")
    }
    guard let length = Int(values[0]) else { throw .tooLarge("a Content-Length of \(values[0])") }
    return length
  }
}
