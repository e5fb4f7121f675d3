import ConformanceWire
import HTTPValues
import JSONKit
import ReferenceKit
import Testing

@testable import LinkForty
@testable import LinkFortyCore
@testable import LinkFortyModel

/// The core as a score: this goes in, exactly that comes out.
@Suite struct SDKCoreTests {
  private static let start = 1_767_225_600_000

  /// A core that has been initialised in a later launch, whose install and queue are known.
  private func launched(queue: [PendingEvent] = []) -> SDKCore {
    var core = SDKCore()
    _ = core.handle(.call(1, .initialize(ConfigurationRequest(baseUrl: Stage.base))), now: Self.start)
    var stored = StoredState()
    stored.hasLaunched = true
    stored.install = .organic(installId: Seeds.installId)
    stored.queue = queue
    _ = core.handle(.loaded(stored), now: Self.start)
    return core
  }

  @Test func theFirstLaunchReportsTheInstallOnce() throws {
    var core = SDKCore()
    let request = ConfigurationRequest(baseUrl: "http://localhost:8080")
    #expect(core.handle(.call(1, .initialize(request)), now: Self.start) == [.load])
    let effects = core.handle(.loaded(StoredState()), now: Self.start)
    #expect(effects.first == .store(.launch, ["launchedAt": "2026-01-01T00:00:00.000Z"]))
    guard case .send(1, let sent) = effects[1] else { Issue.record("no request: \(effects)"); return }
    #expect(sent.endpoint == WireEndpoint(host: "localhost", port: 8080))
    #expect(sent.request.target == "/api/sdk/v1/install")
    #expect(effects[2...] == [.startTimer(.timeout(1), milliseconds: 10_000)])
    let answer = InstallResponse.organic(installId: Seeds.installId).representation
    let report = try #require(InstallResponse.read(Array(answer.compactText.utf8)))
    #expect(
      core.handle(.answered(1, .success(.json(200, answer))), now: Self.start) == [
        .stopTimer(.timeout(1)), .store(.install, answer), .reply(1, .success(InstallResponse.report(of: report))),
      ])
  }

  @Test func aLaterLaunchReportsNothing() {
    var core = SDKCore()
    _ = core.handle(.call(1, .initialize(ConfigurationRequest(baseUrl: Stage.base))), now: Self.start)
    var stored = StoredState()
    stored.hasLaunched = true
    stored.install = .organic(installId: Seeds.installId)
    let effects = core.handle(.loaded(stored), now: Self.start)
    #expect(effects == [.reply(1, .success(InstallResponse.report(of: stored.install)))])
  }

  @Test func aRejectedConfigurationHasNoEffectButItsError() {
    var core = SDKCore()
    let effects = core.handle(.call(1, .initialize(ConfigurationRequest(baseUrl: "http://a.example"))), now: 0)
    guard case .reply(1, .failure(let error)) = effects.first else { Issue.record("no error"); return }
    #expect(effects.count == 1 && error.kind == .invalidConfiguration)
    #expect(core.phase == .uninitialized)
  }

  @Test func anEventIsSentAndForgotten() {
    var core = launched()
    let effects = core.handle(.call(2, .trackEvent(name: "signup", properties: ["plan": "pro"])), now: Self.start + 5)
    guard case .send(1, let sent) = effects.first else { Issue.record("no request: \(effects)"); return }
    #expect(
      Octets(sent.request.body).json == [
        "installId": .string(Seeds.installId), "eventName": "signup", "eventData": ["plan": "pro"],
        "timestamp": "2026-01-01T00:00:00.005Z",
      ])
    #expect(effects[1...] == [.startTimer(.timeout(1), milliseconds: 10_000)])
    let answered = core.handle(.answered(1, .success(HTTPResponse(status: 204))), now: Self.start + 9)
    #expect(answered == [.stopTimer(.timeout(1)), .reply(2, .success(.null))])
  }

  @Test func anEventThatMeetsNoNetworkIsStoredAndTriedAgain() {
    var core = launched()
    _ = core.handle(.call(2, .trackEvent(name: "signup", properties: nil)), now: Self.start)
    let stored: JSON = [
      [
        "installId": .string(Seeds.installId), "eventName": "signup", "eventData": [:],
        "timestamp": "2026-01-01T00:00:00.000Z",
      ]
    ]
    #expect(
      core.handle(.answered(1, .failure(TransportFailure("refused"))), now: Self.start) == [
        .stopTimer(.timeout(1)), .store(.queue, stored), .startTimer(.retry, milliseconds: 30_000),
        .reply(2, .success(.null)),
      ])
    let retry = core.handle(.fired(.retry), now: Self.start + 30_000)
    guard case .send(2, let sent) = retry.first else { Issue.record("no retry: \(retry)"); return }
    #expect(Octets(sent.request.body).json == stored[JSONPath([.index(0)])])
    #expect(
      core.handle(.answered(2, .success(.json(200, [:]))), now: Self.start + 30_000) == [
        .stopTimer(.timeout(2)), .remove(.queue),
      ])
  }

  @Test func aTimeoutGivesTheRequestUpAndItsLateAnswerMeansNothing() {
    var core = launched()
    _ = core.handle(.call(2, .trackEvent(name: "slow", properties: nil)), now: Self.start)
    let effects = core.handle(.fired(.timeout(1)), now: Self.start + 10_000)
    #expect(effects.first == .cancel(1))
    #expect(effects.contains(.reply(2, .success(.null))))
    #expect(core.queue.count == 1)
    #expect(core.handle(.answered(1, .success(.json(200, [:]))), now: Self.start + 11_000) == [])
  }

  @Test(arguments: [(400, false), (404, false), (408, true), (429, true), (500, true), (503, true)])
  func aServerErrorReachesTheCallerAndQueuesWhatMayYetSucceed(_ status: Int, _ isKept: Bool) {
    var core = launched()
    _ = core.handle(.call(2, .trackEvent(name: "e", properties: nil)), now: Self.start)
    let effects = core.handle(.answered(1, .success(.json(status, ["message": "no"]))), now: Self.start)
    let reason = "HTTP \(status): no"
    #expect(effects.last == .reply(2, .failure(SDKError(.serverError, reason, status: status))))
    #expect(core.queue.count == (isKept ? 1 : 0))
  }

  @Test func twoFlushesShareOneRun() {
    let event = PendingEvent(name: "e", data: [:], timestamp: "2026-01-01T00:00:00.000Z", installId: Seeds.installId)
    // The launch itself has begun to flush: request 1 is on its way.
    var core = launched(queue: [event, event])
    #expect(core.handle(.call(2, .flush), now: Self.start) == [])
    #expect(core.handle(.call(3, .flush), now: Self.start) == [])
    let second = core.handle(.answered(1, .success(.json(200, [:]))), now: Self.start)
    guard case .send(2, _) = second[2] else { Issue.record("no second request: \(second)"); return }
    #expect(
      core.handle(.answered(2, .success(.json(200, [:]))), now: Self.start) == [
        .stopTimer(.timeout(2)), .remove(.queue), .reply(2, .success(.null)), .reply(3, .success(.null)),
      ])
  }

  @Test func aFlushStopsAtTheFirstFailureAndKeepsTheOrder() {
    let events = ["a", "b", "c"].map {
      PendingEvent(name: $0, data: [:], timestamp: "2026-01-01T00:00:00.000Z", installId: Seeds.installId)
    }
    var core = launched(queue: events)
    _ = core.handle(.answered(1, .success(.json(200, [:]))), now: Self.start)
    let effects = core.handle(.answered(2, .failure(TransportFailure("reset"))), now: Self.start)
    #expect(effects == [.stopTimer(.timeout(2)), .startTimer(.retry, milliseconds: 30_000)])
    #expect(core.queue.events.map(\.name) == ["b", "c"])
  }

  @Test(arguments: [
    SDKCall.trackEvent(name: "e", properties: nil), .trackRevenue(amount: "1", currency: "EUR", properties: nil),
    .createLink(CreateLinkOptions()), .handleURL("https://go.example.com/a"), .flush, .clearQueue, .queueSize,
    .installID, .installData, .isFirstLaunch,
  ])
  func beforeInitialisationACallFailsAndDoesNothing(_ call: SDKCall) {
    var core = SDKCore()
    #expect(core.handle(.call(7, call), now: 0) == [.reply(7, .failure(.notInitialized))])
  }

  @Test func resetReturnsAnEventOnItsWayToTheQueue() {
    var core = launched()
    _ = core.handle(.call(2, .trackEvent(name: "sent", properties: nil)), now: Self.start)
    let effects = core.handle(.call(3, .reset), now: Self.start)
    #expect(effects.first == .cancel(1))
    #expect(effects.contains { if case .store(.queue, let queue) = $0 { queue.array?.count == 1 } else { false } })
    #expect(effects.last == .reply(3, .success(.null)))
    #expect(core.phase == .uninitialized)
  }
}
