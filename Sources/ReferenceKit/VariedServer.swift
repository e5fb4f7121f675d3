import ConformanceModel
import ConformancePack
import ConformanceTranscript
import HTTPValues
import JSONKit
import Templates

/// A server that passes requests to another server, and changes the form of its answers but not their meaning.
struct VariedServer: ServerModel {
  private var server: any ServerModel
  private let variation: AnswerVariation

  init(_ server: any ServerModel, _ variation: AnswerVariation) {
    self.server = server
    self.variation = variation
  }

  mutating func respond(to request: HTTPRequest, at service: ServiceName, now: Int) -> HTTPResponse {
    variation.applied(to: server.respond(to: request, at: service, now: now))
  }

  mutating func perform(_ command: String, params: JSON.Object, now: Int) -> CommandOutcome {
    server.perform(command, params: params, now: now)
  }

  mutating func lend(_ values: Bindings) { server.lend(values) }

  var complaint: String? { server.complaint }

  var isLenient: Bool { server.isLenient }
}
