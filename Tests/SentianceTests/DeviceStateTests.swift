import JSONKit
import Testing

@testable import Sentiance

/// The outcome of each call in each state of a device.
@Suite struct DeviceStateTests {
  /// A call in a state, and the reason why it fails there; nil if it begins or succeeds.
  struct Cell: Sendable, CustomTestStringConvertible {
    var state: DeviceState
    var call: SentianceCall
    var reason: SentianceReason?

    var testDescription: String { "\(call) when \(state)" }
  }

  private static func row(
    _ call: SentianceCall, _ reasons: (DeviceState) -> SentianceReason?
  ) -> [Cell] {
    DeviceState.allCases.map { Cell(state: $0, call: call, reason: reasons($0)) }
  }

  static let creation = row(.createUser(.code)) { state in
    switch state {
    case .none: nil
    case .creating: .creationInProgress
    case .resetting: .resetInProgress
    case .anonymous, .linking, .linked, .disabled: .userAlreadyExists
    }
  }

  static let linking = row(.linkUser(.linker(.async))) { state in
    switch state {
    case .none, .creating: .noUser
    case .anonymous: nil
    case .linking, .resetting: .unexpectedError
    case .linked: .userAlreadyLinked
    case .disabled: .userDisabledRemotely
    }
  }

  static let token = row(.requestToken) { state in
    switch state {
    case .none, .creating, .resetting: .noUser
    case .anonymous, .linking, .linked: nil
    case .disabled: .userDisabledRemotely
    }
  }

  static let reset = row(.reset) { $0 == .resetting ? .resetInProgress : nil }

  static let initialization = row(.initialize) { state in
    switch state {
    case .none: nil
    case .resetting: .resetInProgress
    case .creating, .anonymous, .linking, .linked, .disabled: .reinitializationNotAllowed
    }
  }

  static let legacyInitialization = row(.initializeWithUser(.credentials(nil))) { state in
    switch state {
    case .creating, .linking: .initializationError
    case .resetting: .resetInProgress
    // The user was made with a code, which can be compared with no credentials.
    case .none, .anonymous, .linked, .disabled: nil
    }
  }

  @Test(arguments: creation + linking + token + reset + initialization + legacyInitialization)
  func call(_ cell: Cell) {
    var stage = cell.state.stage
    #expect(stage.refusal(of: cell.call) == cell.reason)
  }

  @Test(arguments: DeviceState.allCases)
  func question(_ state: DeviceState) {
    var stage = state.stage
    let hasUser = ![.none, .creating, .resetting].contains(state)
    #expect(stage.ask(.userExists) == .bool(hasUser))
    #expect(stage.ask(.userID) == (hasUser ? "user-1" : .null))
    #expect(stage.ask(.isUserLinked) == .bool(state == .linked))
    #expect(stage.ask(.isEnabled) == .bool(hasUser && state != .disabled))
    #expect(stage.ask(.initState) == (state == .resetting ? "RESETTING" : "INITIALIZED"))
  }

  @Test(arguments: [SentianceCall.createUser(.code), .linkUser(.linker(.async)), .linkUser(.code("c"))])
  func nothingBeforeTheInitialisation(_ call: SentianceCall) {
    var stage = Stage()
    #expect(stage.refusal(of: call) == .notInitialized)
    #expect(stage.sent.isEmpty)
  }

  /// A call that is under way fails, and no later event brings the user back.
  @Test(arguments: [DeviceState.creating, .linking])
  func resetEndsWhatWasBegun(_ state: DeviceState) {
    var stage = state.stage
    stage.call(.reset)
    let ended = stage.told.first { $0.handle == "completion" && $0.value["error"] != .null }?.value
    #expect(ended?["of"] == (state == .creating ? "createUser" : "linkUser"))
    stage.call(.reportLinker(call: stage.linkerCall, .returned(true)))
    while !stage.open.isEmpty { stage.answer(200, Answers.created(linked: true)) }
    #expect(stage.ask(.userExists) == false)
    #expect(stage.file == nil)
  }

  @Test func resetIsOverWithoutAnAnswer() {
    var stage = DeviceState.linked.stage
    let reset = stage.call(.reset)
    #expect(stage.value(reset) == nil)
    stage.pass(SentianceCore.Patience.announcement)
    #expect(stage.value(reset) == .null)
    #expect(stage.open.isEmpty)
  }
}
