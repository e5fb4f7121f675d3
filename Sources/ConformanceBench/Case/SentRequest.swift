import ConformanceModel
import JSONKit

/// A request for a subject: a golden request, or that of its binding file, bent as a case's `send` step wants.
struct SentRequest {
  let request: HTTPRequest

  init(
    _ send: Step.Send, exchange: Exchange, template: Exchange.Request, bindings: Bindings, models: Template.Models,
    clientAddressHeader: String? = nil
  ) throws {
    var holes = (exchange.bindings(send.bindings) ?? [:]).merging(bindings)
    if let given = try send.with.render(bindings).object {
      for member in given.members { holes[member.key] = member.value }
    }
    var request = try template.render(holes, models: models)
    if !send.edits.isEmpty, let body = try? JSON(parsing: request.body) {
      request.body = try body.applying(send.edits, holes).compactBytes
    }
    if let body = try send.body?.render(holes) {
      request.body = Array((body.string ?? body.compactText).utf8)
    }
    if let path = try send.path?.renderText(holes) { request.target = path }
    if let method = send.method { request.method = method }
    if let address = try send.from?.renderText(holes) {
      guard let name = clientAddressHeader else {
        throw StepPlayer.Halt(.kitError, "'from' stands in a case that does not need the capability for it")
      }
      request.headers[name] = address
    }
    for (name, template) in send.headers.sorted(by: { $0.key < $1.key }) {
      request.headers[name] = try template?.renderText(holes)
    }
    self.request = request
  }
}
