// The same for every SDK and every protocol: the parts that one launch provides. Replace nothing here.
import Foundation

/// The app of one launch, as the SDK sees it: storage, clock, seed, callbacks. Only `post` may be used outside the loop.
public final class App {
  /// An action that will run later. A cancelled action does nothing.
  public final class Timer {
    fileprivate let due: Double
    fileprivate var action: (() -> Void)?

    fileprivate init(due: Double, action: @escaping () -> Void) {
      self.due = due
      self.action = action
    }

    /// Cancels the action.
    public func cancel() { action = nil }

    fileprivate func fire() {
      let action = self.action
      self.action = nil
      action?()
    }
  }

  /// An `advance` command of the kit that waits for the clock.
  struct Advance {
    var id: Any
    var to: Double
    var inFlight: Int
  }

  /// The folder for everything that the SDK persists.
  public let storage: URL
  /// The seed of every random choice of the SDK.
  public let seed: Int
  /// The dialect that the app is set up for, if the SDK lists several.
  public let dialect: String?
  /// Facts about the app's surroundings, by name.
  public let environment: [String: Any]
  let isVirtual: Bool
  var waiting: [Advance] = []
  var hasEnded = false
  private let epoch: Double
  private let scale: Double
  private let started = DispatchTime.now().uptimeNanoseconds
  private let loop: Loop
  private let output: Output
  private var timers: [Timer] = []
  private var elapsed = 0.0
  private var requests = 0

  init(_ params: [String: Any], _ loop: Loop, _ output: Output) {
    let clock = params["clock"] as? [String: Any] ?? [:]
    let mode = clock["mode"] as? String
    storage = URL(fileURLWithPath: params["storage"] as? String ?? ".")
    seed = (params["seed"] as? NSNumber)?.intValue ?? 0
    dialect = params["dialect"] as? String
    environment = params["environment"] as? [String: Any] ?? [:]
    isVirtual = mode == "virtual"
    epoch = (clock["epoch"] as? NSNumber)?.doubleValue ?? 0
    scale = mode == "scaled" ? (clock["scale"] as? NSNumber)?.doubleValue ?? 1 : 1
    self.loop = loop
    self.output = output
  }

  /// The wall clock in milliseconds since 1970.
  public var now: Int {
    let real = Double(DispatchTime.now().uptimeNanoseconds - started) / 1e6 * scale
    return Int(epoch + (isVirtual ? elapsed : real))
  }

  /// Runs an action on the loop after this number of milliseconds of the app's clock.
  @discardableResult
  public func schedule(after milliseconds: Double, _ action: @escaping () -> Void) -> Timer {
    let timer = Timer(due: elapsed + max(0, milliseconds), action: action)
    if isVirtual {
      timers.append(timer)
    } else {
      let delay = DispatchTimeInterval.nanoseconds(Int(max(0, milliseconds) * 1e6 / scale))
      DispatchQueue.global().asyncAfter(deadline: .now() + delay) { self.post { timer.fire() } }
    }
    return timer
  }

  /// Runs an action on the loop, from any thread. It does nothing once the app has ended.
  public func post(_ action: @escaping () -> Void) {
    loop.add { if !self.hasEnded { action() } }
  }

  /// Call this before the SDK passes a request to its HTTP library: the virtual clock waits for the response.
  public func requestBegins() { requests += 1 }

  /// Call this on the loop after the SDK has received the whole response or the error.
  public func requestEnds() { requests -= 1 }

  /// Reports that the SDK called the callback with this handle.
  public func callback(_ handle: String, _ value: Any?) {
    guard !hasEnded else { return }
    output.write(["method": "callback", "params": ["handle": handle, "value": value ?? NSNull()]])
  }

  /// A value that an earlier launch with the same storage wrote.
  public func stored(_ name: String) throws -> Any? {
    let file = storage.appendingPathComponent(name + ".json")
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try JSONSerialization.jsonObject(with: Data(contentsOf: file), options: .fragmentsAllowed)
  }

  /// Writes a value so that it survives a crash of the app.
  public func store(_ name: String, _ value: Any) throws {
    let bytes = try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
    try bytes.write(to: storage.appendingPathComponent(name + ".json"), options: .atomic)
  }

  /// Moves the clock as far as it may go. Returns the commands that are answered then.
  func step() -> [(id: Any, next: Double?)] {
    while let last = waiting.last {
      guard loop.isEmpty else { return [] }
      timers.removeAll { $0.action == nil }
      guard requests <= last.inFlight else { break }
      guard let index = timers.indices.min(by: { timers[$0].due < timers[$1].due }), timers[index].due <= last.to
      else {
        elapsed = max(elapsed, last.to)
        break
      }
      let timer = timers.remove(at: index)
      elapsed = max(elapsed, timer.due)
      timer.fire()
    }
    let next = timers.map(\.due).min()
    let done = waiting.filter { elapsed >= $0.to && requests <= $0.inFlight }
    waiting.removeAll { elapsed >= $0.to && requests <= $0.inFlight }
    return done.map { ($0.id, next) }
  }
}
