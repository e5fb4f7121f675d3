import ConformanceModel
import JSONKit

/// The LinkForty SDK: ``SDKCore`` plugged into transport, clock and storage.
///
/// It is confined to one loop: every method, completion and timer comes there, so nothing is locked. All decisions are
/// the core's; this type only carries out its effects, in their order and one input after the other.
package final class LinkFortySDK {
  private var core: SDKCore
  private let transport: any Transport
  private let clock: any SDKClock
  private let storage: any Storage
  private let onCallback: (_ handle: String, _ value: JSON) -> Void
  private let onLog: (String) -> Void
  private let onCrash: () -> Void
  private var replies: [Int: (Result<JSON, SDKError>) -> Void] = [:]
  private var lastCall = 0
  private var requests: [Int: Cancellation] = [:]
  private var timers: [SDKTimer: Cancellation] = [:]
  private var inbox: [SDKInput] = []
  private var isWorking = false

  package init(
    transport: any Transport, clock: any SDKClock, storage: any Storage, device: DeviceFacts = DeviceFacts(),
    initialURL: String? = nil, switches: Switches<SDKSwitch> = Switches(),
    onCallback: @escaping (_ handle: String, _ value: JSON) -> Void,
    onLog: @escaping (String) -> Void = { _ in }, onCrash: @escaping () -> Void = {}
  ) {
    core = SDKCore(device: device, initialURL: initialURL, switches: switches)
    self.transport = transport
    self.clock = clock
    self.storage = storage
    self.onCallback = onCallback
    self.onLog = onLog
    self.onCrash = onCrash
  }

  /// What the SDK reads from the device.
  package var device: DeviceFacts {
    get { core.device }
    set { core.device = newValue }
  }

  /// Asks the SDK for something; the reply comes once, at once or later.
  package func perform(_ call: SDKCall, reply: @escaping (Result<JSON, SDKError>) -> Void) {
    lastCall += 1
    replies[lastCall] = reply
    take(.call(lastCall, call))
  }

  /// The app ends.
  package func close() { take(.closing) }

  /// Effects may lead to the next input before they are all carried out: that one waits for its turn.
  private func take(_ input: SDKInput) {
    inbox.append(input)
    guard !isWorking else { return }
    isWorking = true
    while !inbox.isEmpty { carryOut(core.handle(inbox.removeFirst(), now: clock.now)) }
    isWorking = false
  }

  private func carryOut(_ effects: [SDKEffect]) {
    for effect in effects {
      switch effect {
      case .load: carryOut(core.handle(.loaded(StoredState { storage.read($0.rawValue) }), now: clock.now))
      case .store(let file, let value): keep { try storage.replace(file.rawValue, with: value.compactBytes) }
      case .erase: for file in StoredFile.allCases { keep { try storage.remove(file.rawValue) } }
      case .send(let id, let request): send(id, request)
      case .cancel(let id): requests.removeValue(forKey: id)?.cancel()
      case .startTimer(let timer, let milliseconds): start(timer, milliseconds)
      case .stopTimer(let timer): timers.removeValue(forKey: timer)?.cancel()
      case .reply(let call, let result): replies.removeValue(forKey: call)?(result)
      case .callback(let handle, let value): onCallback(handle, value)
      case .log(let text): onLog(text)
      case .crash: onCrash()
      }
    }
  }

  private func send(_ id: Int, _ request: OutgoingRequest) {
    var isOver = false
    let cancellation = transport.send(request) { [weak self] result in
      isOver = true
      self?.requests[id] = nil
      self?.take(.answered(id, result))
    }
    if !isOver { requests[id] = cancellation }
  }

  private func start(_ timer: SDKTimer, _ milliseconds: Int) {
    timers[timer]?.cancel()
    timers[timer] = clock.schedule(after: milliseconds) { [weak self] in
      self?.timers[timer] = nil
      self?.take(.fired(timer))
    }
  }

  /// A disk that is full must not end the app: what could not be stored is lost at the next launch, not now.
  private func keep(_ work: () throws -> Void) {
    do { try work() } catch { onLog("storage: \(error)") }
  }
}
