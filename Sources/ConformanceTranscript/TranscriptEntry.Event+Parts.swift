import HTTPValues
import JSONKit

/// For mutations of transcripts: reads the members of an event as one JSON value, and makes the same event with changed
/// members.
extension TranscriptEntry.Event {
  /// The members of the event if the subject caused it; nil for any other event.
  package var parts: JSON? {
    switch self {
    case .request(_, let record):
      .object(compact: [
        ("method", .string(record.method)), ("path", .string(record.request.path)), ("query", record.rawQuery),
        ("headers", record.headers.parts), ("body", record.body.bytes.isEmpty ? nil : record.body.json),
      ])
    case .received(_, let record):
      .object(compact: [
        ("status", .int(record.status)), ("headers", record.headers.parts),
        ("body", record.body.bytes.isEmpty ? nil : record.body.json),
      ])
    case .callback(_, let value): ["value": value]
    case .reply(let reply):
      switch reply.outcome {
      case .result(let value): ["result": value]
      case .error(let error): ["error": error.representation]
      case .noReply: nil
      }
    default: nil
    }
  }

  /// The body of a request or a response; nil for any other event.
  package var body: Octets? {
    switch self {
    case .request(_, let record): record.body
    case .response(_, let record), .received(_, let record): record.body
    default: nil
    }
  }

  /// The same event with these members instead of its own.
  package func rebuilt(from parts: JSON) -> Self {
    switch self {
    case .request(let upstream, let record): .request(upstream: upstream, record.rebuilt(from: parts))
    case .received(let label, let record): .received(label: label, record.rebuilt(from: parts))
    case .callback(let handle, _): .callback(handle: handle, value: parts["value"] ?? .null)
    case .reply(let reply):
      .reply(.init(id: reply.id, outcome: CommandOutcome(parts: parts) ?? reply.outcome))
    default: self
    }
  }
}

extension CommandOutcome {
  fileprivate init?(parts: JSON) {
    if let result = parts["result"] {
      self = .result(result)
    } else if let error = try? JSONField(parts).optional("error").map({ try CommandError($0) }) {
      self = .error(error)
    } else {
      return nil
    }
  }
}

extension RequestRecord {
  /// The names and values in the query, encoded as on the wire; nil if the target has no query.
  fileprivate var rawQuery: JSON? {
    guard let query = request.query else { return nil }
    let pairs = PercentEncoding.rawQueryItems(query)
    return .object(JSON.Object(pairs.map { JSON.Object.Member(key: $0.name, value: .string($0.value)) }))
  }

  fileprivate func rebuilt(from parts: JSON) -> RequestRecord {
    var record = self
    let method = parts["method"]?.string ?? ""
    let path = parts["path"]?.string ?? ""
    let query = parts["query"]?.object?.members.map { "\($0.key)=\($0.value.plainText)" }.joined(separator: "&")
    record.line = "\(method) \(path)\(query.map { "?" + $0 } ?? "") HTTP/1.1"
    record.headers = HTTPHeaders(parts: parts["headers"])
    record.body = body.rebuilt(from: parts["body"])
    if method != self.method || path != request.path { record.exchange = nil }
    return record
  }
}

extension ResponseRecord {
  fileprivate func rebuilt(from parts: JSON) -> ResponseRecord {
    var record = self
    // A changed status turns a success into a failure and a failure into a success, because another status of success
    // may mean the same.
    if parts["status"]?.int != status { record.line = "HTTP/1.1 \(status < 400 ? 500 : 200)" }
    record.headers = HTTPHeaders(parts: parts["headers"])
    record.body = body.rebuilt(from: parts["body"])
    return record
  }
}

extension Octets {
  /// The body with this value as its content. If the value is nil, a JSON body becomes empty. Any other body stays
  /// unchanged, since it has no members that a mutation could remove.
  fileprivate func rebuilt(from body: JSON?) -> Octets {
    if let body { Octets(body.compactBytes) } else if json != nil { Octets([]) } else { self }
  }
}

extension HTTPHeaders {
  fileprivate var parts: JSON { .object(JSON.Object(fields.map { .init(key: $0.name, value: .string($0.value)) })) }

  fileprivate init(parts: JSON?) {
    self.init((parts?.object?.members ?? []).map { Field(name: $0.key, value: $0.value.plainText) })
  }
}

extension JSON {
  /// The value as text.
  fileprivate var plainText: String { string ?? compactText }
}
