import AdapterHost
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit
import Testing

@testable import ReferenceKit

/// An SDK's effects are carried out in order, and their outcomes become inputs, one after the other.
@Suite struct ReferenceSDKTests {
  /// The stored contents of the state machine: the number of its launches, and notes.
  private struct Counter: StoredContents {
    enum File: String, CaseIterable, Sendable {
      case count, other
    }

    var count: Int
    /// The values in the other file.
    var notes: [Int]

    init(reading read: (File) -> [UInt8]?) {
      count = read(.count).flatMap { try? JSON(parsing: $0).int } ?? 0
      notes = Journal.entries(of: read(.other) ?? []).compactMap(\.value.int)
    }
  }

  private struct Refusal: Error, Hashable, CustomStringConvertible {
    var description: String { "refused" }
  }

  /// A state machine that turns each call into a list of effects.
  private struct Obedient: SDKStateMachine {
    enum Call: Hashable, Sendable {
      case load, send, wait(Int), stop, erase, remove(Counter.File), refuse, tell, note([Journal.Change]), recall
    }

    var isCounting = true
    private var call = 0
    private var isRecalling = false

    mutating func handle(
      _ input: SDKInput<Call, Counter, String>, now: Int
    ) -> [SDKEffect<Counter.File, String, Refusal>] {
      switch input {
      case .call(let id, let wanted):
        call = id
        isRecalling = wanted == .recall
        return effects(of: wanted)
      case .loaded(let stored) where isRecalling: return [.reply(call, .success(.array(stored.notes.map(JSON.int))))]
      case .loaded(let stored):
        return [.store(.count, .int(stored.count + 1)), .reply(call, .success(.int(stored.count)))]
      case .answered(_, .success(let response)): return [.reply(call, .success(.int(response.status)))]
      case .answered(_, .failure(let failure)): return [.reply(call, .success(.string(failure.text)))]
      case .fired(let timer): return [.callback(handle: timer, .int(now))]
      case .closing: return [.log("closed")]
      }
    }

    private func effects(of wanted: Call) -> [SDKEffect<Counter.File, String, Refusal>] {
      switch wanted {
      case .load, .recall: [.load]
      case .note(let changes): [.note(.other, changes), .reply(call, .success(.null))]
      case .send:
        [
          .send(
            7, OutgoingRequest(to: WireEndpoint(host: "localhost", port: 1), HTTPRequest(method: "GET", target: "/x")))
        ]
      case .wait(let time): [.startTimer("rang", milliseconds: time), .reply(call, .success(.null))]
      case .stop: [.stopTimer("rang"), .cancel(7), .reply(call, .success(.null))]
      case .erase: [.erase, .reply(call, .success(.null))]
      case .remove(let file): [.remove(file), .reply(call, .success(.null))]
      case .refuse: [.reply(call, .failure(Refusal()))]
      case .tell: [.log("told"), .reply(call, .success(true)), .crash]
      }
    }
  }

  /// A world in which nothing happens by itself.
  private final class World: AppSurroundings, Storage {
    var now = 1_000
    var trace: [String] = []
    var files: [String: [UInt8]] = [:]
    var isFull = false
    var answer: ((Result<HTTPResponse, WireFailure>) -> Void)?
    var timer: (due: Int, action: () -> Void)?

    struct Full: Error {}

    func schedule(after milliseconds: Int, _ action: @escaping () -> Void) -> AppTimer {
      timer = (now + milliseconds, action)
      return AppTimer { [unowned self] in timer = nil }
    }

    func send(
      _ request: HTTPRequest, to endpoint: WireEndpoint, chunked: Bool,
      completion: @escaping (Result<HTTPResponse, WireFailure>) -> Void
    ) -> AppTimer {
      trace.append("\(request.method) \(endpoint.authority)\(request.target)")
      answer = completion
      return AppTimer { [unowned self] in answer = nil }
    }

    func callBack(_ handle: String, _ value: JSON) { trace.append("\(handle) \(value)") }
    func read(_ name: String) -> [UInt8]? { files[name] }
    func replace(_ name: String, with bytes: [UInt8]) throws {
      if isFull { throw Full() }
      files[name] = bytes
    }
    func append(_ bytes: [UInt8], to name: String) throws {
      // A disk without room for all bytes takes the first ones.
      files[name, default: []] += isFull ? bytes.dropLast(2) : bytes[...]
      if isFull { throw Full() }
    }
    func remove(_ name: String) { files[name] = nil }
  }

  private let world = World()

  private func sdk() -> ReferenceSDK<Obedient> {
    ReferenceSDK(
      Obedient(), in: world, storage: world, onLog: { [world] in world.trace.append($0) },
      onCrash: { [world] in world.trace.append("crash") })
  }

  private func perform(_ call: Obedient.Call, on sdk: ReferenceSDK<Obedient>) {
    sdk.perform(call) { [world] in world.trace.append("\($0)") }
  }

  @Test func whatIsStoredComesBackAtTheNextLaunch() {
    perform(.load, on: sdk())
    perform(.load, on: sdk())
    #expect(world.trace == ["success(0)", "success(1)"])
    perform(.erase, on: sdk())
    perform(.load, on: sdk())
    #expect(world.trace.last == "success(0)")
  }

  @Test func aFileThatIsRemovedIsTheOnlyOneThatGoes() {
    let first = sdk()
    perform(.load, on: first)
    perform(.note([.add(1, 10)]), on: first)
    perform(.remove(.other), on: first)
    perform(.recall, on: sdk())
    #expect(world.trace.last == "success([])")
    perform(.note([.add(2, 20)]), on: first)
    perform(.recall, on: sdk())
    #expect(world.trace.last == "success([20])")
    perform(.load, on: sdk())
    #expect(world.trace.last == "success(1)")
  }

  @Test func aFullStorageIsLoggedAndEndsNothing() {
    world.isFull = true
    perform(.load, on: sdk())
    #expect(world.trace == ["storage: Full()", "success(0)"])
  }

  @Test func whatIsNotedComesBackAtTheNextLaunch() {
    let first = sdk()
    perform(.note([.add(1, 10), .add(2, 20)]), on: first)
    perform(.note([.add(3, 30), .remove(1)]), on: first)
    perform(.recall, on: sdk())
    #expect(world.trace.last == "success([20,30])")
    let second = sdk()
    perform(.note([.remove(3)]), on: second)
    perform(.erase, on: second)
    perform(.note([.add(4, 40)]), on: second)
    perform(.recall, on: sdk())
    #expect(world.trace.last == "success([40])")
  }

  /// A note that a full disk took only in part does not damage later notes.
  @Test func whatCouldNotBeNotedIsNotedWithTheNext() {
    let sdk = sdk()
    perform(.note([.add(1, 10)]), on: sdk)
    world.isFull = true
    perform(.note([.add(2, 20)]), on: sdk)
    perform(.recall, on: self.sdk())
    #expect(world.trace.last == "success([10])")
    world.isFull = false
    perform(.note([.add(3, 30)]), on: sdk)
    perform(.recall, on: self.sdk())
    #expect(world.trace.last == "success([10,20,30])")
    #expect(world.trace.filter { $0.hasPrefix("storage") } == ["storage: Full()"])
  }

  @Test(arguments: [
    (Result<HTTPResponse, WireFailure>.success(HTTPResponse(status: 204)), "success(204)"),
    (.failure(WireFailure(.refused, "nobody there")), "success(\"refused: nobody there\")"),
  ])
  func anAnswerIsHandedIn(_ answer: Result<HTTPResponse, WireFailure>, told: String) {
    let sdk = sdk()
    perform(.send, on: sdk)
    #expect(world.trace == ["GET localhost:1/x"])
    world.answer?(answer)
    #expect(world.trace.last == told)
  }

  @Test func timersFireWithTheTimeAndCanBeStopped() {
    let sdk = sdk()
    perform(.wait(50), on: sdk)
    #expect(world.timer?.due == 1_050)
    world.now = 1_050
    world.timer?.action()
    #expect(world.trace == ["success(null)", "rang 1050"])
    perform(.wait(50), on: sdk)
    perform(.send, on: sdk)
    perform(.stop, on: sdk)
    #expect(world.timer == nil && world.answer == nil)
  }

  @Test func errorsLogsAndTheEndReachTheApp() {
    let sdk = sdk()
    perform(.refuse, on: sdk)
    perform(.tell, on: sdk)
    sdk.close()
    #expect(world.trace == ["failure(refused)", "told", "success(true)", "crash", "closed"])
  }
}
