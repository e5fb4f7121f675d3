import ConformanceModel
import ConformanceTranscript
import Processes
import Recording

/// The point before a step of a case, at which a person looks around. With a virtual clock no time passes meanwhile.
package struct StepPause: Sendable {
  package var instance: CaseInstance
  /// The place of the step in its case, such as `3`.
  package var place: String
  /// The action of the step, such as `call trackEvent`.
  package var title: String
  /// The addresses of the services that the kit plays.
  package var addresses: [(service: ServiceName, url: String)]

  /// Waits for a person. Returns false if the case is to be given up.
  package typealias Wait = @Sendable (StepPause) async -> Bool
}

extension CasePorts {
  /// Waits before a step if the run pauses. The wait counts for no time limit.
  func pause(before title: String, at place: String) async throws {
    guard let wait else { return }
    let known = bindings
    let addresses = catalogue.definition.services.compactMap { service in
      known["\(service.name).url"]?.string.map { (service.name, $0) }
    }
    let begin = Heartbeat.shared.now
    let goesOn = await wait(
      StepPause(instance: header.instance, place: place, title: title, addresses: addresses))
    allow(begin.duration(to: Heartbeat.shared.now))
    if !goesOn { throw CaseHalt(.interrupted, "the case was given up at a pause") }
  }
}
