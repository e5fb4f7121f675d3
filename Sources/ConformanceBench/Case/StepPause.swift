import ConformanceModel
import ConformanceTranscript
import Recording

/// A pause before a step of a case, in which a person can look at the subject. A virtual clock does not move during the
/// pause.
package struct StepPause: Sendable {
  package var instance: CaseInstance
  /// The place of the step in its case, such as `3`.
  package var place: String
  /// The action of the step, such as `call trackEvent`.
  package var title: String
  /// The addresses of the mock servers.
  package var addresses: [(service: ServiceName, url: String)]

  /// Waits for a person. Returns false if the person quits.
  package typealias Wait = @Sendable (StepPause) async -> Bool
}

extension CasePorts {
  /// Waits before a step if the run has pauses. The time of the pause does not count towards any time limit.
  func pause(before title: String, at place: String) async throws {
    guard let wait else { return }
    let known = bindings
    let addresses = catalogue.definition.services.compactMap { service in
      known["\(service.name).url"]?.string.map { (service.name, $0) }
    }
    watchdog.hold()
    let goesOn = await wait(
      StepPause(instance: header.instance, place: place, title: title, addresses: addresses))
    watchdog.release()
    if !goesOn { throw CaseHalt(.interrupted, "the case was given up at a pause") }
  }
}
