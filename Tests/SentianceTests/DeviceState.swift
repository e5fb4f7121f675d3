import JSONKit
import Testing

@testable import Sentiance

/// The states of a device. Source: the tables of the API reference on createUser, linkUser, reset and initialize.
enum DeviceState: String, CaseIterable, CustomTestStringConvertible {
  case none, creating, anonymous, linking, linked, resetting, disabled

  var testDescription: String { rawValue }

  var stage: Stage {
    var stage = Stage()
    stage.begin()
    switch self {
    case .none: break
    case .creating: stage.call(.createUser(.code))
    case .anonymous, .linking:
      stage.call(.createUser(.credentials(nil)))
      stage.answer(200, Answers.created(linked: false))
      if self == .linking { stage.call(.linkUser(.linker(.async))) }
    case .linked, .resetting:
      stage.call(.createUser(.code))
      stage.answer(200, Answers.created(linked: true))
      if self == .resetting { stage.call(.reset) }
    case .disabled:
      stage.call(.createUser(.code))
      stage.answer(200, Answers.created(linked: false, active: false))
    }
    return stage
  }
}
