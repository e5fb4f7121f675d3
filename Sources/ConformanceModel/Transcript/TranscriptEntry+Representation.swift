import JSONKit

/// One line of a transcript: `{"n": 7, "at": 1500, "event": "clock", …}`; the rest depends on the event.
extension TranscriptEntry: JSONRepresentable {
  package var representation: JSON {
    .joining(
      .joining(["n": .int(number), "at": .time(at)], event.representation),
      .object(compact: [("launch", launch.map(JSON.int))]))
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    number = try field.required("n").int()
    at = try field.required("at").time()
    event = try Event(field)
    // `launch` is a member of another meaning where a process is started.
    if case .callback = event { launch = try field.optional("launch")?.int() } else { launch = nil }
  }
}

extension TranscriptEntry.StepMark: JSONRepresentable {
  package var representation: JSON {
    .object(compact: [("place", .string(place)), ("word", .string(word)), ("label", label.map(JSON.string))])
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    place = try field.required("place").string()
    word = try field.required("word").string()
    label = try field.label()
  }
}

extension TranscriptEntry.Command: JSONRepresentable {
  package var representation: JSON {
    .object(compact: [
      ("id", .int(id)), ("name", .string(name)), ("params", params), ("label", label.map(JSON.string)),
    ])
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    id = try field.required("id").int()
    name = try field.required("name").string()
    params = try field.required("params").value
    label = try field.label()
  }
}

/// `{"name": "expire", "params": {…}, "result": …}`, or with `error` in the place of the result.
extension TranscriptEntry.Operation: JSONRepresentable {
  package var representation: JSON {
    .joining(["name": .string(name), "params": params], outcome.representation)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    name = try field.required("name").string()
    params = try field.required("params").value
    outcome = try CommandOutcome(field)
  }
}

/// `{"id": 4, "result": …}`, `{"id": 4, "error": {"kind": …}}`, or `{"id": 4, "noReply": true}`, with `"ended": true` when
/// the app was being ended.
extension TranscriptEntry.Reply: JSONRepresentable {
  package var representation: JSON {
    .joining(
      .joining(["id": .int(id)], outcome.representation),
      .object(compact: [("ended", isEnded ? .some(true) : .none)]))
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    id = try field.required("id").int()
    outcome = try CommandOutcome(field)
    isEnded = field.value["ended"] == true
  }
}

/// `{"result": …}`, `{"error": {"kind": …}}`, or `{"noReply": true}`.
extension CommandOutcome: JSONRepresentable {
  package var representation: JSON {
    switch self {
    case .result(let value): ["result": value]
    case .error(let error): ["error": error.representation]
    case .noReply: ["noReply": true]
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

/// `{"change": "started", "launch": 1}`, `{"change": "exited", "code": 0}`, `{"change": "signalled", "signal": 9}` or
/// `{"change": "ended", "how": "kill"}`.
extension TranscriptEntry.Process: JSONRepresentable {
  private enum Change: String, CaseIterable {
    case started, exited, signalled, ended
  }

  package var representation: JSON {
    switch self {
    case .started(let launch): ["change": "started", "launch": .int(launch)]
    case .exited(let code): ["change": "exited", "code": .int(code)]
    case .signalled(let signal): ["change": "signalled", "signal": .int(signal)]
    case .ended(let how): ["change": "ended", "how": .string(how.rawValue)]
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

extension TranscriptEntry.Ending: JSONRepresentable {
  package var representation: JSON { ["kind": .string(kind.rawValue), "text": .string(text)] }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    self.init(try field.required("kind").word(Kind.self), try field.required("text").string())
  }
}
