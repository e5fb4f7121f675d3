import ConformanceModel
import HTTPValues
import JSONKit
import Recording
import Templates

/// A request that the kit sends to a subject: the golden request or the request in the binding file, with the changes
/// that a `send` step of a case makes.
package struct SentRequest {
  /// The addresses of the clients in a case. The kit sends them to a server that reads the address of its client from
  /// the header field `header`.
  package struct Clients {
    /// The name of the client that sends a request if the step contains no `from`.
    static let usual = ""

    var header: String
    var addresses: ClientAddresses

    package init(header: String, addresses: ClientAddresses) {
      self.header = header
      self.addresses = addresses
    }
  }

  package let request: HTTPRequest

  package init(
    _ send: Step.Send, exchange: Exchange, template: Exchange.Request, bindings: Bindings, models: Template.Models,
    clients: Clients? = nil
  ) throws {
    var holes = (exchange.bindings(send.bindings) ?? [:]).merging(bindings)
    if let given = try send.with.render(bindings).object {
      for member in given.members { holes[member.key] = member.value }
    }
    var request = try Self.render(template, holes, models, of: send)
    if !send.edits.isEmpty, let body = try? JSON(parsing: request.body) {
      request.body = try body.applying(send.edits, holes).compactBytes
    }
    if let body = try send.body?.render(holes) {
      request.body = Array((body.string ?? body.compactText).utf8)
    }
    if let path = try send.path?.renderText(template.pathBindings(holes)) { request.target = path }
    if let method = send.method { request.method = method }
    let client = try send.from?.renderText(holes)
    if let clients {
      request.headers[clients.header] = clients.addresses.address(of: client ?? Clients.usual)
    } else if client != nil {
      throw CaseHalt(.kitError, "the case uses 'from' without the capability that it needs")
    }
    for (name, template) in send.headers.sorted(by: { $0.key < $1.key }) {
      request.headers[name] = try template?.renderText(holes)
    }
    self.request = request
  }

  /// The request with its holes filled. If the step uses a value from an earlier answer of the subject, and a value has
  /// the wrong kind for its hole, the case ends unjudged. This is not a mistake in the case, so it is not reported as
  /// one.
  private static func render(
    _ template: Exchange.Request, _ holes: Bindings, _ models: Template.Models, of send: Step.Send
  ) throws -> HTTPRequest {
    do {
      return try template.render(holes, models: models)
    } catch {
      guard case .wrongKind(let name, let expected, let found) = error, !send.with.fullHoleNames.isEmpty else {
        throw error
      }
      throw CaseHalt(.preconditionFailed, "'send \(send.exchange)' needs \(expected) as '\(name)', found \(found)")
    }
  }
}
