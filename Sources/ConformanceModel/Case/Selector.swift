import JSONKit
import Templates

/// Selects observations in a transcript.
package struct Selector: Hashable, Sendable {
  /// The kind of observation.
  package enum Subject: Hashable, Sendable {
    /// Requests of this exchange that a mock received. `any` selects requests of every exchange.
    case request(exchange: String)
    /// Responses of this exchange that a mock sends, or that the server under test sends to the kit.
    case response(exchange: String)
    /// Calls of the callback with this handle.
    case callback(handle: String)
    /// The reply to the labelled call, or the response to the labelled send.
    case reply(label: String)
    /// The end of the labelled step.
    case step(label: String)
    /// The ends of connections to a mock.
    case closed
  }

  /// The word in place of an exchange's name that selects every exchange.
  package static let any = "any"

  package var subject: Subject
  /// The service of the observations; nil for all services.
  package var service: ServiceName?
  /// Selects only observations after the end of the step with this label.
  package var after: String?
  /// Selects only observations before the start of the step with this label.
  package var before: String?
  /// Selects only observations whose JSON value, which claims read, matches this template.
  package var filter: Template?
  /// The path of a list whose elements are the observations; nil if the selector selects whole observations.
  package var items: JSONPath?

  package init(
    _ subject: Subject, at service: ServiceName? = nil, after: String? = nil, before: String? = nil,
    filter: Template? = nil, items: JSONPath? = nil
  ) {
    self.subject = subject
    self.service = service
    self.after = after
    self.before = before
    self.filter = filter
    self.items = items
  }

  /// The selected exchange; nil for all exchanges, and for observations that are neither requests nor responses.
  package var exchange: String? {
    switch subject {
    case .request(let exchange), .response(let exchange): exchange == Self.any ? nil : exchange
    default: nil
    }
  }

  /// This selector without ``filter``, ``after`` and ``before``.
  package var widened: Selector { Selector(subject, at: service, items: items) }
}

extension Selector.Subject {
  /// The words for the kinds of observations in a case file.
  package static let words = ["request", "response", "callback", "reply", "step", "closed"]

  /// The word for the kind of observation in a case.
  package var word: String {
    switch self {
    case .request: "request"
    case .response: "response"
    case .callback: "callback"
    case .reply: "reply"
    case .step: "step"
    case .closed: "closed"
    }
  }
}

extension Selector: CustomStringConvertible {
  /// The text that names the selected observations in a finding.
  package var description: String {
    var text: String
    switch subject {
    case .request(Self.any): text = "requests"
    case .request(let exchange): text = "\(exchange) requests"
    case .response(Self.any): text = "responses"
    case .response(let exchange): text = "\(exchange) responses"
    case .callback(let handle): text = "calls of callback '\(handle)'"
    case .reply(let label): text = "replies to '\(label)'"
    case .step(let label): text = "ends of step '\(label)'"
    case .closed: text = "closed connections"
    }
    if let items { text = "elements of \(items) in \(text)" }
    if let service { text += " at '\(service)'" }
    if let after { text += " after '\(after)'" }
    if let before { text += " before '\(before)'" }
    return text
  }

  /// The text that names one of the selected observations in a finding.
  package var singular: String {
    let text: String
    switch subject {
    case .request(Self.any), .response(Self.any): text = subject.word
    case .request(let exchange), .response(let exchange): text = "\(exchange) \(subject.word)"
    case .callback(let name), .step(let name): text = "\(subject.word) '\(name)'"
    case .reply(let label): text = "\(subject.word) to '\(label)'"
    case .closed: text = "\(subject.word) connection"
    }
    return items.map { "element of \($0) in \(text)" } ?? text
  }
}
