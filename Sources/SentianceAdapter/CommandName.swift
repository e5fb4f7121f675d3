import JSONKit
import Sentiance

/// The commands of the protocol that reach the SDK, as `spec/sentiance/protocol.yaml` lists them.
enum CommandName: String, CaseIterable {
  case initialize, onLinker, onCompletion, createUser, answerLinker, linkUser, userExists, isUserLinked, getUserId
  case initState, isEnabled, requestToken, refresh, reset, inspectOptions, legacyInit, pingMain
}

extension UserCreationOptions {
  /// The options for a code if the parameters contain no credentials, and otherwise the options for credentials.
  init(_ params: JSONField) throws(JSONField.Problem) {
    let code = try params.optional("authCode")?.string()
    if params.optional("appId") == nil, params.optional("secret") == nil {
      self.init(authenticationCode: code)
    } else {
      try self.init(credentials: params)
      authenticationCode = code
    }
    try take(params)
  }

  /// The options for an app's credentials.
  init(credentials params: JSONField) throws(JSONField.Problem) {
    self.init(
      appID: try params.optional("appId")?.string(), secret: try params.optional("secret")?.string(),
      linker: try Linker(params.optional("linker")))
  }

  /// Changes the options that can be changed after their creation.
  mutating func take(_ changes: JSONField) throws(JSONField.Problem) {
    if let code = try changes.optional("authCode")?.string() { authenticationCode = code }
    if let url = try changes.optional("platformUrl")?.string() { platformURL = url }
  }

  /// The options as JSON, with the values that the SDK's getters return.
  var inspected: JSON {
    [
      "appId": JSON(appID), "secret": JSON(secret), "authCode": JSON(authenticationCode),
      "platformUrl": JSON(platformURL), "linker": JSON(linker?.rawValue),
    ]
  }
}

extension JSON {
  fileprivate init(_ text: String?) { self = text.map(JSON.string) ?? .null }
}

extension Linker {
  /// Returns nil if the app has no linker. `app` is the value for a linker of any form with any outcome.
  init?(_ field: JSONField?) throws(JSONField.Problem) {
    guard let field else { return nil }
    self = try field.string() == "app" ? .promise : field.word(Linker.self)
  }
}

extension LinkerReport {
  /// The outcome of a linker in the parameters of `answerLinker`.
  init(_ params: JSONField) throws(JSONField.Problem) {
    switch try params.required("outcome").word(Outcome.self) {
    case .success: self = .returned(true)
    case .failure: self = .returned(false)
    case .throw: self = .threw
    case .value: self = .returned(params.value["value"] ?? .null)
    }
  }

  private enum Outcome: String, CaseIterable {
    case success, failure, `throw`, value
  }
}
