import JSONKit
import Testing

@testable import Sentiance

/// Under which name each failure reaches the app, wherever it happens.
@Suite struct FailureReasonTests {
  /// How a request ends.
  enum Ending: Sendable, CaseIterable {
    case lost, late, failed, unavailable, limited, unauthorized, notFound, deactivated, alreadyLinked, otherPerson
    case html, emptyObject

    func play(_ stage: inout Stage) {
      switch self {
      case .lost: stage.lose()
      case .late: stage.pass(SentianceCore.Patience.answer)
      case .failed: stage.refuse(500, "INTERNAL_SERVER_ERROR")
      case .unavailable: stage.refuse(503, "SERVICE_UNAVAILABLE")
      case .limited: stage.refuse(429, "TOO_MANY_REQUESTS")
      case .unauthorized: stage.refuse(401, "INVALID_CREDENTIALS")
      case .notFound: stage.refuse(404, "PERSON_NOT_FOUND")
      case .deactivated: stage.refuse(403, "INSTALL_DEACTIVATED")
      case .alreadyLinked: stage.refuse(403, "USER_ALREADY_LINKED")
      case .otherPerson: stage.refuse(403, "CANNOT_LINK_EXISTING_PERSON_TO_OTHER_PERSON")
      case .html: stage.answer(text: "<html></html>")
      case .emptyObject: stage.answer()
      }
    }

    var isOfNetwork: Bool { self == .lost || self == .late }
  }

  @Test(arguments: Ending.allCases)
  func creation(_ ending: Ending) {
    var stage = DeviceState.none.stage
    let call = stage.call(.createUser(.code))
    ending.play(&stage)
    let reason: SentianceReason =
      ending.isOfNetwork ? .networkError : ending == .alreadyLinked ? .userAlreadyLinked : .serverError
    #expect(stage.reason(call) == reason)
    #expect(stage.ask(.userExists) == false)
    #expect(stage.last("completion")?["error"]?["details"]?.string?.isEmpty == false)
  }

  @Test(arguments: Ending.allCases)
  func confirmation(_ ending: Ending) {
    var stage = DeviceState.none.stage
    let call = stage.call(.createUser(.credentials(.async)))
    stage.answer(200, Answers.created(nil, linked: false, active: false))
    stage.call(.reportLinker(call: stage.linkerCall, .returned(true)))
    ending.play(&stage)
    let reason: SentianceReason =
      switch ending {
      case .lost, .late: .networkError
      case .notFound: .appSideLinkingFailed
      case .alreadyLinked: .userAlreadyLinked
      default: .serverError
      }
    #expect(stage.reason(call) == reason)
    #expect(stage.ask(.userExists) == false)
  }

  @Test(arguments: Ending.allCases)
  func lateLink(_ ending: Ending) {
    var stage = DeviceState.anonymous.stage
    let call = stage.call(.linkUser(.code("code-1")))
    ending.play(&stage)
    let reason: SentianceReason =
      switch ending {
      case .lost, .late: .networkError
      case .deactivated: .userDisabledRemotely
      case .alreadyLinked: .userAlreadyLinked
      default: .serverError
      }
    #expect(stage.reason(call) == reason)
    #expect(stage.ask(.isUserLinked) == false)
    #expect(stage.ask(.isEnabled) == .bool(ending != .deactivated))
  }

  @Test(arguments: Ending.allCases)
  func renewal(_ ending: Ending) {
    var stage = DeviceState.none.stage
    stage.call(.createUser(.code))
    stage.answer(200, Answers.created(linked: true, token: Answers.expired))
    let call = stage.call(.requestToken)
    ending.play(&stage)
    #expect(stage.reason(call) == (ending == .deactivated ? .userDisabledRemotely : .networkError))
  }

  @Test(arguments: Ending.allCases)
  func legacyInitialization(_ ending: Ending) {
    var stage = Stage()
    let call = stage.call(.initializeWithUser(.credentials(.async)))
    ending.play(&stage)
    let issue: SentianceReason =
      switch ending {
      case .lost, .late, .failed, .unavailable, .limited: .serviceUnreachable
      case .unauthorized: .invalidCredentials
      default: .initializationError
      }
    #expect(stage.reason(call) == issue)
    #expect(stage.ask(.initState) == "NOT_INITIALIZED")
  }

  /// A platform that cannot be asked leaves the user as it was.
  @Test(arguments: Ending.allCases)
  func refresh(_ ending: Ending) {
    var stage = DeviceState.linked.stage
    let call = stage.call(.refresh)
    ending.play(&stage)
    #expect(stage.value(call) == .null)
    #expect(stage.ask(.isEnabled) == .bool(ending != .deactivated))
    #expect(stage.ask(.isUserLinked) == true)
  }

  static let senseless: [UserCreationOptions] = [
    UserCreationOptions(authenticationCode: nil), UserCreationOptions(authenticationCode: ""),
    UserCreationOptions(authenticationCode: " \t"), UserCreationOptions(appID: "app-1", secret: nil, linker: nil),
    UserCreationOptions(appID: nil, secret: "secret-1", linker: nil),
    UserCreationOptions(appID: "", secret: "secret-1", linker: .async), at("no address"), at("ftp://host"),
    at("http://"), at("http://host/?q=1"), at("http://me@host"),
  ]

  private static func at(_ url: String) -> UserCreationOptions {
    var options = UserCreationOptions(authenticationCode: "code-1")
    options.platformURL = url
    return options
  }

  @Test(arguments: senseless)
  func optionsWithoutSense(_ options: UserCreationOptions) {
    var stage = DeviceState.none.stage
    #expect(stage.refusal(of: .createUser(options)) == .invalidArgument)
    #expect(stage.sent.isEmpty)
    #expect(stage.count("completion") == 0)
  }
}
