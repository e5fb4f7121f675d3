import JSONKit
import Testing

@testable import Sentiance

/// An app may die at any point: what it stored is a whole user or none, and it goes on without a reset.
@Suite struct RestorationTests {
  /// The steps of a creation through a linker and a late link, one after the other.
  private static let steps: [@Sendable (inout Stage) -> Void] = [
    { $0.begin() },
    { $0.call(.createUser(.credentials(.async))) },
    { $0.answer(200, Answers.created(nil, linked: false, active: false)) },
    { $0.call(.reportLinker(call: $0.linkerCall, .returned(true))) },
    { $0.answer(200, Answers.person()) },
    { $0.call(.requestToken) },
    { $0.call(.refresh) },
    { $0.answer(200, Answers.configuration(linked: true)) },
  ]

  /// After how many steps the user is there.
  private static let created = 5

  @Test(arguments: 0...steps.count)
  func killedAfter(_ count: Int) {
    var stage = Stage()
    for step in Self.steps.prefix(count) { step(&stage) }
    stage.relaunch()
    stage.begin()
    let isThere = count >= Self.created
    #expect(stage.ask(.userExists) == .bool(isThere))
    #expect(stage.ask(.isUserLinked) == .bool(isThere))
    guard !isThere else {
      #expect(stage.open.map(\.request.target) == ["/sdk/config"])
      return
    }
    let again = stage.call(.createUser(.code))
    stage.answer(200, Answers.created(linked: true))
    #expect(stage.value(again)?["userId"] == "user-1")
  }

  /// The platform knows a repeated attempt by its id: neither a second user nor a used code comes of it.
  @Test(arguments: [false, true])
  func aLostAnswerIsAskedForUnderTheSameAttempt(_ isKilled: Bool) throws {
    var stage = DeviceState.creating.stage
    let first = try attempt(stage)
    if isKilled {
      stage.relaunch()
      stage.begin()
    } else {
      stage.lose()
    }
    stage.call(.createUser(.code))
    #expect(try attempt(stage) == first)
  }

  @Test func aRefusedAttemptIsOver() throws {
    var stage = DeviceState.creating.stage
    let first = try attempt(stage)
    stage.refuse(403, "AUTH_CODE_EXPIRED")
    stage.call(.createUser(.code))
    #expect(try attempt(stage) != first)
  }

  /// After a linker has failed the install may be kept, and need not be.
  @Test(arguments: [(Set<SentianceSwitch>(), false), (Set([.variantKeptInstall]), true)])
  func anInstallWhoseLinkerFailed(_ switches: Set<SentianceSwitch>, _ isKept: Bool) throws {
    var stage = Stage(switches: switches)
    stage.begin()
    stage.call(.createUser(.credentials(.async)))
    let first = try attempt(stage)
    stage.answer(200, Answers.created(nil, linked: false, active: false))
    stage.call(.reportLinker(call: stage.linkerCall, .threw))
    stage.call(.createUser(.credentials(.async)))
    #expect(try (attempt(stage) == first) == isKept)
  }

  @Test func otherOptionsAreAnotherAttempt() throws {
    var stage = DeviceState.creating.stage
    let first = try attempt(stage)
    stage.lose()
    stage.call(.createUser(.credentials(nil)))
    #expect(try attempt(stage) != first)
  }

  static let unreadable: [JSON] = [
    [], "text", ["user": "text"], ["user": ["id": "user-1"]],
    ["user": ["id": 1, "installId": "i", "token": Answers.token, "linked": true, "enabled": true, "platformUrl": "u"]],
    ["attempt": ["id": "a"]],
  ]

  @Test(arguments: unreadable)
  func aFileThatCannotBeReadIsNone(_ file: JSON) {
    var stage = Stage(file: file)
    stage.begin()
    #expect(stage.ask(.userExists) == false)
    stage.call(.createUser(.code))
    stage.answer(200, Answers.created(linked: true))
    #expect(stage.ask(.userExists) == true)
  }

  @Test func neitherSecretNorCodeIsStored() throws {
    for options in [UserCreationOptions.code, .credentials(nil)] {
      var stage = DeviceState.none.stage
      stage.call(.createUser(options))
      let before = try #require(stage.file?.compactText)
      stage.answer(200, Answers.created(linked: true))
      let after = try #require(stage.file?.compactText)
      for text in [before, after] {
        #expect(!text.contains("secret-1") && !text.contains("code-1"))
      }
    }
  }

  private func attempt(_ stage: Stage) throws -> String {
    let request = try #require(stage.sent.last { $0.target == "/sdk/users" })
    return try #require(JSON(parsing: request.body)["attempt_id"]?.string)
  }
}
