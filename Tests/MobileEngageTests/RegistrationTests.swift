import JSONKit
import Testing

@testable import MobileEngage

/// The registration of the device, and its repetition.
@Suite struct RegistrationTests {
  static let changes: [(name: String, value: JSON)] = [
    ("platform", "ios"), ("applicationVersion", "2.4.2"), ("deviceModel", "Größe 9"), ("osVersion", "15"),
    ("sdkVersion", "1.0.1"), ("language", "de-DE"), ("timezone", "-0300"),
    ("pushSettings", ["areNotificationsEnabled": false]),
  ]

  private static let registration = "POST client"

  @Test func theFirstStartRegistersThenLinksThenReports() {
    let stage = Stage.started()
    #expect(
      stage.trace == [
        "POST client", "POST contact?anonymous=true", "POST events app:start", "POST events session:start",
      ])
    #expect(stage.sent[0].json == .object(DeviceProperties().body))
    #expect(stage.sent[1].json == [:])
  }

  @Test func theNextStartRegistersNothing() {
    var stage = Stage.started()
    let before = stage.sent.count
    for _ in 1...3 {
      stage.relaunch()
      stage.accept()
    }
    #expect(stage.trace(from: before).allSatisfy { $0.hasPrefix("POST events") })
  }

  @Test(arguments: changes)
  func aChangedPropertyIsRegisteredAtTheNextStart(_ name: String, _ value: JSON) throws {
    var stage = Stage.started()
    var device = DeviceProperties()
    try device.take(JSONField(.object([name: value])))
    let before = stage.sent.count
    stage.relaunch(device: device)
    stage.accept()
    stage.relaunch(device: device)
    stage.accept()
    #expect(stage.trace(from: before).filter { $0 == Self.registration }.count == 1)
    #expect(stage.sent[before].json?[name] == value)
    stage.relaunch(device: DeviceProperties())
    stage.accept()
    #expect(stage.trace(from: before).filter { $0 == Self.registration }.count == 2, "back again is a change too")
  }

  @Test(arguments: changes)
  func aChangedPropertyIsRegisteredInTheForeground(_ name: String, _ value: JSON) {
    var stage = Stage.started()
    stage.surround(["foreground": false, name: value])
    stage.accept()
    #expect(stage.trace.filter { $0 == Self.registration }.count == 1, "not in the background")
    stage.surround(["foreground": true])
    stage.accept()
    #expect(stage.trace.filter { $0 == Self.registration }.count == 2)
  }

  /// The status of a registration, and whether the next start registers again.
  @Test(arguments: [
    (200, false), (201, false), (204, false), (400, true), (403, true), (404, true), (408, true), (429, true),
    (500, true), (503, true),
  ])
  func whatWasNotAcceptedIsRegisteredAtTheNextStart(_ status: Int, _ isRepeated: Bool) {
    var stage = Stage()
    stage.setUp()
    stage.answer(status)
    stage.relaunch()
    stage.accept()
    #expect(stage.trace.filter { $0 == Self.registration }.count == (isRepeated ? 2 : 1))
  }

  @Test(arguments: [400, 402, 403, 404])
  func whatWasRefusedIsNotRepeatedByTheSameProcess(_ status: Int) {
    var stage = Stage()
    stage.setUp()
    stage.answer(status)
    stage.accept()
    stage.track("later")
    stage.accept()
    stage.pass(600_000)
    #expect(stage.trace.filter { $0 == Self.registration }.count == 1)
    #expect(stage.reported == ["app:start", "session:start", "later"], "the rest goes on")
  }

  @Test func aLostStateIsRegisteredFor() {
    var stage = Stage.started()
    let before = stage.sent.count
    stage.relaunch(without: ["clientState"])
    stage.accept()
    #expect(stage.trace(from: before).first == Self.registration)
  }

  @Test func anUpdateKeepsTheIDOfTheDevice() {
    var stage = Stage(files: [.legacy: #"{"hardwareId":"hw-1"}"#])
    stage.setUp()
    stage.accept()
    #expect(stage.trace.first == Self.registration)
    #expect(Set(stage.sent.map { $0.headers["X-Client-Id"] }) == ["hw-1"])
  }

  @Test func theClientIDStaysForGood() {
    var stage = Stage.started()
    stage.signIn("anna")
    stage.accept()
    stage.signOut()
    stage.accept()
    stage.relaunch()
    stage.accept()
    #expect(Set(stage.sent.map { $0.headers["X-Client-Id"] }).count == 1)
    #expect(stage.sent[0].headers["X-Client-Id"]?.isEmpty == false)
  }

  @Test(arguments: [nil, ""])
  func withoutAnApplicationCodeNothingIsSent(_ code: String?) {
    var stage = Stage()
    stage.setUp(code: code)
    let calls = [stage.track("one"), stage.signIn("anna"), stage.push("fcm:1")]
    stage.surround(["foreground": false])
    stage.surround(["foreground": true])
    #expect(stage.sent.isEmpty)
    #expect(
      calls.map { stage.outcomes($0).map { $0["error"]?["kind"] } } == [["rejected"], ["rejected"], ["rejected"]])
  }

  @Test(arguments: ["", "ftp://client.test", "http://client.test/?a=b"])
  func whatIsNoBaseURLIsRefused(_ url: String) {
    var stage = Stage()
    stage.setUp(client: url)
    #expect(stage.sent.isEmpty)
    #expect(stage.told.map { $0.value["ok"] } == [false])
  }

  @Test func aSecondSetupChangesNothing() {
    var stage = Stage.started()
    let before = stage.sent.count
    stage.setUp(code: "EMS22-7A1B4")
    stage.accept()
    #expect(stage.sent.count == before)
    #expect(stage.told.last?.value == ["ok": true])
  }
}
