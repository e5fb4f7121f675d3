import AdapterHost
import JSONKit

/// A running SDK: an ``SDKStateMachine`` that is connected to the surroundings of an app and to a storage.
///
/// All its methods, completions and timers run on one loop, so it needs no lock. The machine makes all decisions. This
/// type only passes inputs to the machine, one after another, and carries out the effects of each input in their order.
package final class ReferenceSDK<Machine: SDKStateMachine> {
  /// The state machine of the SDK. The app changes it directly only when its surroundings change, and otherwise calls
  /// ``perform(_:reply:)``.
  package var machine: Machine
  private let surroundings: any AppSurroundings
  private let storage: any Storage
  private let onLog: (String) -> Void
  private let onCrash: () -> Void
  private var replies: [Int: (Result<JSON, Machine.Failure>) -> Void] = [:]
  private var lastCall = 0
  private var requests: [Int: AppTimer] = [:]
  private var timers: [Machine.Timer: AppTimer] = [:]
  /// The journals that this object has written to since the launch, by file.
  private var journals: [Machine.Stored.File: Journal] = [:]
  private var inbox: [Machine.Input] = []
  private var isWorking = false

  package init(
    _ machine: Machine, in surroundings: any AppSurroundings, storage: any Storage,
    onLog: @escaping (String) -> Void = { _ in }, onCrash: @escaping () -> Void = {}
  ) {
    self.machine = machine
    self.surroundings = surroundings
    self.storage = storage
    self.onLog = onLog
    self.onCrash = onCrash
  }

  /// Calls the SDK. `reply` is called once: before this method returns, or at any later time.
  package func perform(_ call: Machine.Call, reply: @escaping (Result<JSON, Machine.Failure>) -> Void) {
    lastCall += 1
    replies[lastCall] = reply
    take(.call(lastCall, call))
  }

  /// Handles the end of the app.
  package func close() { take(.closing) }

  /// Handles an input. An input that arrives while effects are being carried out waits until the effects are complete.
  private func take(_ input: Machine.Input) {
    guard !isWorking else { return inbox.append(input) }
    isWorking = true
    carryOut(machine.handle(input, now: surroundings.now))
    while !inbox.isEmpty {
      let inputs = inbox
      inbox = []
      for input in inputs { carryOut(machine.handle(input, now: surroundings.now)) }
    }
    isWorking = false
  }

  private func carryOut(_ effects: [Machine.Effect]) {
    for effect in effects.withoutStoresInBetween() {
      switch effect {
      case .load:
        let stored = Machine.Stored { storage.read($0.rawValue) }
        carryOut(machine.handle(.loaded(stored), now: surroundings.now))
      case .store(let file, let value): keep { try storage.replace(file.rawValue, with: value.compactBytes) }
      case .remove(let file):
        journals[file] = nil
        keep { try storage.remove(file.rawValue) }
      case .note(let file, let changes): keep { try note(changes, in: file) }
      case .erase:
        journals = [:]
        for file in Machine.Stored.File.allCases { keep { try storage.remove(file.rawValue) } }
      case .send(let id, let request): send(id, request)
      case .cancel(let id): requests.removeValue(forKey: id)?.cancel()
      case .startTimer(let timer, let milliseconds): start(timer, milliseconds)
      case .stopTimer(let timer): timers.removeValue(forKey: timer)?.cancel()
      case .reply(let call, let result): replies.removeValue(forKey: call)?(result)
      case .callback(let handle, let value): surroundings.callBack(handle, value)
      case .log(let text): onLog(text)
      case .crash: onCrash()
      }
    }
  }

  private func note(_ changes: [Journal.Change], in file: Machine.Stored.File) throws {
    let name = file.rawValue
    let write = journals[file, default: Journal(storage.read(name))].take(changes)
    do {
      switch write {
      case .append(let bytes): try storage.append(bytes, to: name)
      case .replace(let bytes): try storage.replace(name, with: bytes)
      case nil: break
      }
    } catch {
      journals[file]?.noteFailure()
      throw error
    }
  }

  private func send(_ id: Int, _ outgoing: OutgoingRequest) {
    var isOver = false
    let sent = surroundings.send(outgoing.request, to: outgoing.endpoint, chunked: outgoing.isChunked) {
      [weak self] result in
      isOver = true
      self?.requests[id] = nil
      self?.take(.answered(id, result.mapError { TransportFailure("\($0)") }))
    }
    if !isOver { requests[id] = sent }
  }

  private func start(_ timer: Machine.Timer, _ milliseconds: Int) {
    timers[timer]?.cancel()
    timers[timer] = surroundings.schedule(after: milliseconds) { [weak self] in
      self?.timers[timer] = nil
      self?.take(.fired(timer))
    }
  }

  /// Performs a write. If the write fails, for example because the disk is full, the failure is logged and the app
  /// continues. The data of a failed write is missing at the next launch.
  private func keep(_ work: () throws -> Void) {
    do { try work() } catch { onLog("storage: \(error)") }
  }
}
