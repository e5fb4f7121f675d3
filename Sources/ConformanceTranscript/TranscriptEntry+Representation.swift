import ConformanceModel
import JSONKit

/// One line of a transcript: `{"n": 7, "at": 1500, "event": "clock", …}`. The other members depend on the event.
extension TranscriptEntry: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("n", number)
    members.add("at", at)
    event.encodeMembers(into: &members)
    members.add("launch", launch)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    number = try field.required("n").int()
    at = try field.required("at").time()
    event = try Event(field)
    // In an event about a process, `launch` is a member of the event itself.
    if case .callback = event { launch = try field.optional("launch")?.int() } else { launch = nil }
  }
}

extension TranscriptEntry.StepMark: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("place", place)
    members.add("word", word)
    members.add("label", label)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    place = try field.required("place").string()
    word = try field.required("word").string()
    label = try field.label()
  }
}

extension TranscriptEntry.Command: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("id", id)
    members.add("name", name)
    members.add("params", params)
    members.add("label", label)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    id = try field.required("id").int()
    name = try field.required("name").string()
    params = try field.required("params").value
    label = try field.label()
  }
}

/// An operation such as `{"name": "expire", "params": {…}, "result": …}`. A failed operation has `error` instead of
/// `result`.
extension TranscriptEntry.Operation: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("name", name)
    members.add("params", params)
    outcome.encodeMembers(into: &members)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    name = try field.required("name").string()
    params = try field.required("params").value
    outcome = try CommandOutcome(field)
  }
}

/// One of `{"id": 4, "result": …}`, `{"id": 4, "error": {"kind": …}}`, or `{"id": 4, "noReply": true}`. The third form
/// has `"ended": true` if the app was ended before the command was done.
extension TranscriptEntry.Reply: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("id", id)
    outcome.encodeMembers(into: &members)
    if isEnded { members.add("ended", true) }
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    id = try field.required("id").int()
    outcome = try CommandOutcome(field)
    isEnded = field.value["ended"] == true
  }
}

/// One of `{"result": …}`, `{"error": {"kind": …}}` and `{"noReply": true}`.
extension CommandOutcome: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    switch self {
    case .result(let value): members.add("result", value)
    case .error(let error): members.add("error", error)
    case .noReply: members.add("noReply", true)
    }
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    if let result = field.value["result"] {
      self = .result(result)
    } else if let error = try field.decodeIfPresent("error", as: CommandError.self) {
      self = .error(error)
    } else if field.value["noReply"] == true {
      self = .noReply
    } else {
      throw field.problem(expected: "'result', 'error' or 'noReply': true")
    }
  }
}

/// A change such as `{"change": "started", "launch": 1}`, `{"change": "exited", "code": 0}`, `{"change": "signalled",
/// "signal": 9}` or `{"change": "ended", "how": "kill"}`.
extension TranscriptEntry.Process: JSONObjectEncodable, JSONRepresentable {
  private enum Change: String, CaseIterable {
    case started, exited, signalled, ended
  }

  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("change", change.rawValue)
    switch self {
    case .started(let launch): members.add("launch", launch)
    case .exited(let code): members.add("code", code)
    case .signalled(let signal): members.add("signal", signal)
    case .ended(let how): members.add("how", how.rawValue)
    }
  }

  private var change: Change {
    switch self {
    case .started: .started
    case .exited: .exited
    case .signalled: .signalled
    case .ended: .ended
    }
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    switch try field.required("change").word(Change.self) {
    case .started: self = .started(launch: try field.required("launch").int())
    case .exited: self = .exited(code: try field.required("code").int())
    case .signalled: self = .signalled(try field.required("signal").int())
    case .ended: self = .ended(try field.required("how").word(Step.Restart.Ending.self))
    }
  }
}

extension TranscriptEntry.Ending: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("kind", kind.rawValue)
    members.add("text", text)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    self.init(try field.required("kind").word(Kind.self), try field.required("text").string())
  }
}
