import JSONKit

extension TranscriptEntry.Event {
  /// The values of the member `event` in transcripts.
  package enum Kind: String, CaseIterable, Sendable {
    case stepBegan = "step-began"
    case stepEnded = "step-ended"
    case command, reply, callback, process, output, breach
    case request, malformed, response, cut, fault, handshake, kept, closed
    case operated, bound
    case sent, received, failed, clock, end
  }

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

extension TranscriptEntry.Event: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("event", kind.rawValue)
    switch self {
    case .stepBegan(let mark), .stepEnded(let mark): mark.encodeMembers(into: &members)
    case .command(let command): command.encodeMembers(into: &members)
    case .reply(let reply): reply.encodeMembers(into: &members)
    case .callback(let handle, let value):
      members.add("handle", handle)
      members.add("value", value)
    case .process(let change): change.encodeMembers(into: &members)
    case .output(let octets): members.add("octets", octets)
    case .breach(let text): members.add("text", text)
    case .request(let upstream, let record):
      members.add("upstream", upstream)
      members.add("request", record)
    case .malformed(let upstream, let connection, let reason, let octets):
      members.add("upstream", upstream)
      members.add("connection", connection)
      members.add("reason", reason)
      members.add("octets", octets)
    case .response(let upstream, let record):
      members.add("upstream", upstream)
      members.add("response", record)
    case .cut(let upstream, let text):
      members.add("upstream", upstream)
      members.add("text", text)
    case .fault(let upstream, let connection, let kind):
      members.add("upstream", upstream)
      members.add("connection", connection)
      members.add("kind", kind)
    case .handshake(let upstream, let handshake):
      members.add("upstream", upstream)
      handshake.encodeMembers(into: &members)
    case .kept(let upstream, let connection):
      members.add("upstream", upstream)
      members.add("connection", connection)
    case .closed(let upstream, let connection, let closer):
      members.add("upstream", upstream)
      members.add("connection", connection)
      members.add("by", closer.rawValue)
    case .operated(let label, let operation):
      members.add("label", label)
      operation.encodeMembers(into: &members)
    case .bound(let label, let value):
      members.add("label", label)
      members.add("value", value)
    case .sent(let label, let service, let record):
      members.add("label", label)
      members.add("service", service)
      members.add("request", record)
    case .received(let label, let record):
      members.add("label", label)
      members.add("response", record)
    case .failed(let label, let failure):
      members.add("label", label)
      failure.encodeMembers(into: &members)
    case .clock(let time): members.add("to", time)
    case .end(let ending): ending.encodeMembers(into: &members)
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
  package func label() throws(Problem) -> String? { try optional("label")?.string() }

  fileprivate func upstream() throws(Problem) -> String { try required("upstream").string() }
  fileprivate func connection() throws(Problem) -> Int { try required("connection").int() }
}
