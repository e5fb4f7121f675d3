/// Picks observations out of a transcript.
package struct Selector: Hashable, Sendable {
  /// What kind of observation.
  package enum Subject: Hashable, Sendable {
    /// Requests that an upstream received: of this exchange, or all with `any`.
    case request(exchange: String)
    /// Calls of the callback with this handle.
    case callback(handle: String)
  }

  package var subject: Subject
  /// The upstream that received the request; nil is the main one.
  package var upstream: String?
  /// Only after the end of the step with this label.
  package var after: String?
  /// Only before the start of the step with this label.
  package var before: String?
  /// Only those that match, in the view of ``RequestRecord/view`` or of a callback's value.
  package var filter: Template?

  package init(
    _ subject: Subject, upstream: String? = nil, after: String? = nil, before: String? = nil, filter: Template? = nil
  ) {
    self.subject = subject
    self.upstream = upstream
    self.after = after
    self.before = before
    self.filter = filter
  }
}

extension Selector: CustomStringConvertible {
  /// What a finding calls the observations.
  package var description: String {
    var text: String
    switch subject {
    case .request("any"): text = "requests"
    case .request(let exchange): text = "\(exchange) requests"
    case .callback(let handle): text = "calls of callback '\(handle)'"
    }
    if let upstream { text += " at '\(upstream)'" }
    if let after { text += " after '\(after)'" }
    if let before { text += " before '\(before)'" }
    return text
  }
}
