import JSONKit
import Templates
import Testing

@testable import AdapterProtocol

@Suite struct AdapterRequestTests {
  @Test(arguments: [
    (
      AdapterRequest.hello(kit: "conform 0.1.0", protocolName: "parcel"),
      #"{"protocolVersion":1,"kit":"conform 0.1.0","protocol":"parcel"}"#
    ),
    (
      .launch(
        AdapterLaunch(
          storage: "/s", clock: .virtual, epoch: 1_767_225_600_000, seed: 7, environment: ["timezone": "UTC"])),
      #"{"storage":"/s","clock":{"mode":"virtual","epoch":1767225600000,"scale":1},"seed":7,"environment":{"timezone":"UTC"}}"#
    ),
    (
      .launch(AdapterLaunch(storage: "/s", clock: .scaled, epoch: 1, scale: 50, seed: .max)),
      #"{"storage":"/s","clock":{"mode":"scaled","epoch":1,"scale":50},"seed":9007199254740991,"environment":{}}"#
    ),
    (
      .launch(AdapterLaunch(storage: "/s", clock: .real, epoch: 1, dialect: "modern")),
      #"{"storage":"/s","clock":{"mode":"real","epoch":1,"scale":1},"seed":0,"environment":{},"dialect":"modern"}"#
    ),
    (.advance(to: .milliseconds(1500), inFlight: 2), #"{"to":1500,"inFlight":2}"#),
    (.advance(to: .milliseconds(0.5), inFlight: 0), #"{"to":0.5,"inFlight":0}"#),
    (.ping, "{}"), (.quit, "{}"), (.shutdown, "{}"),
  ])
  func hasTheFormOfThePage(request: AdapterRequest, params: String) {
    #expect(JSON.object(request.params).compactText == params)
  }

  @Test func theAdapterReadsWhatTheKitWrites() throws {
    let launch = AdapterLaunch(
      storage: "/s", clock: .scaled, epoch: 1, scale: 50, seed: 7, environment: ["a": 1], dialect: "old")
    #expect(try AdapterLaunch(JSONField(.object(AdapterRequest.launch(launch).params))) == launch)
    let advance = AdapterRequest.advance(to: .milliseconds(0.5), inFlight: 2)
    #expect(
      try AdapterAdvance(JSONField(.object(advance.params))) == AdapterAdvance(to: .milliseconds(0.5), inFlight: 2))
  }

  @Test(arguments: [
    (#"{"clock":{"mode":"real","epoch":1}}"#, "$.storage: expected a value, found nothing"),
    (#"{"storage":"/s","clock":{"mode":"slow","epoch":1}}"#, "$.clock.mode: expected one of virtual, scaled, real"),
    (#"{"storage":"/s","clock":{"mode":"real"}}"#, "$.clock.epoch: expected a value, found nothing"),
  ])
  func saysWhatALaunchLacks(text: String, reason: String) {
    let problem = #expect(throws: JSONField.Problem.self) { try AdapterLaunch(JSONField(JSON(parsing: text))) }
    #expect("\(problem as Any)".contains(reason), "\(problem as Any)")
  }

  @Test func namesAreThoseOfThePage() {
    let methods = [AdapterRequest.ping, .quit, .shutdown, .advance(to: .zero, inFlight: 0)].map(\.method)
    #expect(methods == ["ping", "quit", "shutdown", "advance"])
  }

  @Test(arguments: [(#"{"next":3000}"#, LogicalTime.seconds(3)), (#"{"next":0}"#, .zero), (#"{"next":null}"#, nil)])
  func readsWhatAdvanceCameTo(text: String, next: LogicalTime?) throws {
    let reply = try AdvanceReply(JSONField(JSON(parsing: text)))
    #expect(reply == AdvanceReply(next: next))
    #expect(reply.representation.compactText == text)
  }
}
