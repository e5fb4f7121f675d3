import ConformanceBench
import ConformanceModel
import Processes
import Synchronization

/// Waits before each step of a case for an answer of the person at the terminal (option `--pause`).
package final class StepPrompt: Sendable {
  private enum Mode: Equatable { case everyStep, notIn(CaseInstance), never }

  private let mode = Mutex(Mode.everyStep)

  package init() {}

  /// Shows the next step, and waits for a line on stdin. Returns false if the person quits.
  package func wait(_ pause: StepPause) async -> Bool {
    guard isAsked(about: pause.instance) else { return true }
    let places = pause.addresses.map { "   \($0.service) \($0.url)\n" }.joined()
    Terminal.output(.lines("-- before step \(pause.place)  \(pause.title)\n\(places)"))
    while true {
      Terminal.output("   Enter: this step · c: rest of the case · r: rest of the run · q: quit > ")
      // At the end of stdin, the rest of the run goes on without pauses.
      let word = Promise<String>()
      let isAsked = OwnThread.run { word.keep(readLine() ?? "r") }
      guard isAsked, let word = try? await word.value() else { return true }
      if let goesOn = answer(word, in: pause.instance) { return goesOn }
    }
  }

  private func isAsked(about instance: CaseInstance) -> Bool {
    mode.withLock { mode in
      if case .notIn(let passed) = mode, passed != instance { mode = .everyStep }
      return mode == .everyStep
    }
  }

  /// Handles the answer of a person. Returns true if the run goes on, false if the person ends the run with `q`, and
  /// nil if the word is unknown.
  private func answer(_ word: String, in instance: CaseInstance) -> Bool? {
    switch word {
    case "", "s": return true
    case "c": mode.withLock { $0 = .notIn(instance) }
    case "r": mode.withLock { $0 = .never }
    case "q":
      mode.withLock { $0 = .never }
      Interruption.request()
      return false
    default: return nil
    }
    return true
  }
}
