import ConformanceTranscript
import JSONKit
import Recording
import Synchronization

/// Performs the operator commands of one case by hooks, which bring the server under test into the state that the case
/// needs.
///
/// The result of a hook is validated like the result of an adapter. If a hook fails or returns an invalid result, the
/// case ends unjudged, since hooks are not under test.
package final class Provisioner: CommandPort {
  private struct State {
    var lastNumber = 0
    var tasks: [Task<Void, Never>] = []
  }

  package let mustSucceed = true
  private let hooks: [String: any ServerHook]
  private let checks: CommandChecks
  private let recorder: Recorder
  private let state = Mutex(State())

  package init(hooks: [String: any ServerHook], checks: CommandChecks, recorder: Recorder) {
    self.hooks = hooks
    self.checks = checks
    self.recorder = recorder
  }

  package func call(_ command: String, params: JSON, label: String?) throws -> Int {
    let hook = try hook(for: command, params)
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    recorder.record(.command(.init(id: number, name: command, params: params, label: label)))
    let task = Task { [recorder, checks] in
      let outcome = await Self.checked(hook.perform(params.object ?? [:]), command, checks)
      recorder.record(.reply(.init(id: number, outcome: outcome)))
    }
    state.withLock { $0.tasks.append(task) }
    return number
  }

  /// Performs a command and returns its outcome. Unlike ``call(_:params:label:)``, it waits for the outcome and does
  /// not record it in the transcript.
  package func perform(_ command: String, params: JSON) async throws -> CommandOutcome {
    await Self.checked(try hook(for: command, params).perform(params.object ?? [:]), command, checks)
  }

  private func hook(for command: String, _ params: JSON) throws -> any ServerHook {
    if let problem = checks.problems(inParams: params, of: command).first {
      throw CaseHalt(.kitError, "the case calls \(command) with parameters that do not fit its schema: \(problem)")
    }
    guard let hook = hooks[command] else {
      throw CaseHalt(.kitError, "the case calls \(command) without the need of its capability")
    }
    return hook
  }

  package func hook(_ command: String) -> (any ServerHook)? { hooks[command] }

  /// Cancels the running commands, and returns once they have ended.
  package func finish() async {
    let tasks = state.withLock(\.tasks)
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  private static func checked(_ outcome: CommandOutcome, _ command: String, _ checks: CommandChecks) -> CommandOutcome {
    guard case .result(let value) = outcome, let problem = checks.problems(inResult: value, of: command).first else {
      return outcome
    }
    return .error(
      CommandError(
        kind: CommandError.hookFailed, message: "its result does not fit the schema of the protocol: \(problem)"))
  }
}
