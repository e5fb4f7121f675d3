import JSONKit

extension TranscriptEntry.Event {
  /// The word for what happened, as transcripts spell it.
  package enum Kind: String, CaseIterable, Sendable {
    case stepBegan = "step-began"
    case stepEnded = "step-ended"
    case command, reply, callback, process, output, breach
    case request, malformed, response, cut, fault, handshake, kept, closed
    case operated, bound
    case sent, received, failed, clock, end
  }

  /// The word for what happened.
  package var kind: Kind {
    switch self {
    case .stepBegan: .stepBegan
    case .stepEnded: .stepEnded
    case .command: .command
    case .reply: .reply
    case .callback: .callback
    case .process: .process
    case .output: .output
    case .breach: .breach
    case .request: .request
    case .malformed: .malformed
    case .response: .response
    case .cut: .cut
    case .fault: .fault
    case .handshake: .handshake
    case .kept: .kept
    case .closed: .closed
    case .operated: .operated
    case .bound: .bound
    case .sent: .sent
    case .received: .received
    case .failed: .failed
    case .clock: .clock
    case .end: .end
    }
  }
}

extension TranscriptEntry.Event: JSONRepresentable {
  package var representation: JSON { .joining(["event": .string(kind.rawValue)], details) }

  private var details: JSON {
    switch self {
    case .stepBegan(let mark), .stepEnded(let mark): mark.representation
    case .command(let command): command.representation
    case .reply(let reply): reply.representation
    case .callback(let handle, let value): ["handle": .string(handle), "value": value]
    case .process(let change): change.representation
    case .output(let octets): ["octets": octets.representation]
    case .breach(let text): ["text": .string(text)]
    case .request(let upstream, let record): ["upstream": .string(upstream), "request": record.representation]
    case .malformed(let upstream, let connection, let reason, let octets):
      [
        "upstream": .string(upstream), "connection": .int(connection), "reason": .string(reason),
        "octets": octets.representation,
      ]
    case .response(let upstream, let record): ["upstream": .string(upstream), "response": record.representation]
    case .cut(let upstream, let text): ["upstream": .string(upstream), "text": .string(text)]
    case .fault(let upstream, let connection, let kind):
      ["upstream": .string(upstream), "connection": .int(connection), "kind": .string(kind)]
    case .handshake(let upstream, let handshake):
      .joining(["upstream": .string(upstream)], handshake.representation)
    case .kept(let upstream, let connection): ["upstream": .string(upstream), "connection": .int(connection)]
    case .closed(let upstream, let connection, let closer):
      ["upstream": .string(upstream), "connection": .int(connection), "by": .string(closer.rawValue)]
    case .operated(let label, let operation):
      .joining(.object(compact: [("label", label.map(JSON.string))]), operation.representation)
    case .bound(let label, let value): ["label": .string(label), "value": value]
    case .sent(let label, let service, let record):
      .object(compact: [
        ("label", label.map(JSON.string)), ("service", .string(service)), ("request", record.representation),
      ])
    case .received(let label, let record):
      .object(compact: [("label", label.map(JSON.string)), ("response", record.representation)])
    case .failed(let label, let failure):
      .joining(.object(compact: [("label", label.map(JSON.string))]), failure.representation)
    case .clock(let time): ["to": .time(time)]
    case .end(let ending): ending.representation
    }
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    switch try field.required("event").word(Kind.self) {
    case .stepBegan: self = .stepBegan(try TranscriptEntry.StepMark(field))
    case .stepEnded: self = .stepEnded(try TranscriptEntry.StepMark(field))
    case .command: self = .command(try TranscriptEntry.Command(field))
    case .reply: self = .reply(try TranscriptEntry.Reply(field))
    case .callback:
      self = .callback(handle: try field.required("handle").string(), value: try field.required("value").value)
    case .process: self = .process(try TranscriptEntry.Process(field))
    case .output: self = .output(try field.decode("octets"))
    case .breach: self = .breach(try field.required("text").string())
    case .request: self = .request(upstream: try field.upstream(), try field.decode("request"))
    case .malformed:
      let reason = try field.required("reason").string()
      self = .malformed(
        upstream: try field.upstream(), connection: try field.connection(), reason: reason,
        try field.decode("octets"))
    case .response: self = .response(upstream: try field.upstream(), try field.decode("response"))
    case .cut: self = .cut(upstream: try field.upstream(), text: try field.required("text").string())
    case .fault:
      let kind = try field.required("kind").string()
      self = .fault(upstream: try field.upstream(), connection: try field.connection(), kind: kind)
    case .handshake: self = .handshake(upstream: try field.upstream(), try TLSHandshake(field))
    case .kept: self = .kept(upstream: try field.upstream(), connection: try field.connection())
    case .closed:
      let closer = try field.required("by").word(TranscriptEntry.Closer.self)
      self = .closed(upstream: try field.upstream(), connection: try field.connection(), by: closer)
    case .operated: self = .operated(label: try field.label(), try TranscriptEntry.Operation(field))
    case .bound:
      self = .bound(label: try field.required("label").string(), value: try field.required("value").value)
    case .sent:
      let service = try field.required("service").string()
      self = .sent(label: try field.label(), service: service, try field.decode("request"))
    case .received: self = .received(label: try field.label(), try field.decode("response"))
    case .failed: self = .failed(label: try field.label(), try WireFailure(field))
    case .clock: self = .clock(try field.required("to").time())
    case .end: self = .end(try TranscriptEntry.Ending(field))
    }
  }
}

extension JSONField {
  /// The label of the step that an event belongs to.
  func label() throws(Problem) -> String? { try optional("label")?.string() }

  fileprivate func upstream() throws(Problem) -> String { try required("upstream").string() }
  fileprivate func connection() throws(Problem) -> Int { try required("connection").int() }
}
