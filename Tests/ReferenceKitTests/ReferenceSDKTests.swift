import AdapterHost
import ConformanceModel
import ConformanceWire
import JSONKit
import Testing

@testable import ReferenceKit

/// An SDK's effects are carried out in their order, and what comes of them is handed in one input after the other.
@Suite struct ReferenceSDKTests {
  /// What the machine keeps: how often it was launched.
  private struct Counter: StoredContents {
    enum File: String, CaseIterable, Sendable {
      case count, other
    }

    var count: Int

    init(reading read: (File) -> [UInt8]?) { count = read(.count).flatMap { try? JSON(parsing: $0).int } ?? 0 }
  }

  private struct Refusal: Error, Hashable, CustomStringConvertible {
    var description: String { "refused" }
  }

  /// Does what it is told: each call is a list of effects.
  private struct Obedient: SDKStateMachine {
    enum Call: Hashable, Sendable {
      case load, send, wait(Int), stop, erase, refuse, tell
    }

    var isCounting = true
    private var call = 0

    mutating func handle(
      _ input: SDKInput<Call, Counter, String>, now: Int
    ) -> [SDKEffect<Counter.File, String, Refusal>] {
      switch input {
      case .call(let id, let wanted):
        call = id
        return effects(of: wanted)
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
      case .load: [.load]
      case .send:
        [
          .send(
            7, OutgoingRequest(to: WireEndpoint(host: "localhost", port: 1), HTTPRequest(method: "GET", target: "/x")))
        ]
      case .wait(let time): [.startTimer("rang", milliseconds: time), .reply(call, .success(.null))]
      case .stop: [.stopTimer("rang"), .cancel(7), .reply(call, .success(.null))]
      case .erase: [.erase, .reply(call, .success(.null))]
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

  @Test func aFullStorageIsLoggedAndEndsNothing() {
    world.isFull = true
    perform(.load, on: sdk())
    #expect(world.trace == ["storage: Full()", "success(0)"])
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
