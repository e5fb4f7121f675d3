import JSONKit
import Sentiance

/// The commands that the app carries out. `spec/sentiance/protocol.yaml` describes them.
enum CommandName: String, CaseIterable {
  case initialize, onLinker, onCompletion, createUser, answerLinker, linkUser, userExists, isUserLinked, getUserId
  case initState, isEnabled, requestToken, refresh, reset, inspectOptions, legacyInit, pingMain
}

extension UserCreationOptions {
  /// The options in the parameters of `createUser`. Parameters with credentials result in options with these
  /// credentials and, if the parameters also contain a code, with the code. Parameters without credentials result in
  /// options with only a code.
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

  /// The options with the app's credentials and linker from these parameters.
  init(credentials params: JSONField) throws(JSONField.Problem) {
    self.init(
      appID: try params.optional("appId")?.string(), secret: try params.optional("secret")?.string(),
      linker: try Linker(params.optional("linker")))
  }

  /// Sets the code and the platform URL. An app can set both after it has created the options.
  mutating func take(_ changes: JSONField) throws(JSONField.Problem) {
    if let code = try changes.optional("authCode")?.string() { authenticationCode = code }
    if let url = try changes.optional("platformUrl")?.string() { platformURL = url }
  }

  /// The options as JSON: the value of each property as an app reads it.
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
  /// The linker that a parameter names. Nil if the parameter is absent, since the app then has no linker. The value
  /// `app` allows a linker of any form; for it, the result is `promise`.
  init?(_ field: JSONField?) throws(JSONField.Problem) {
    guard let field else { return nil }
    self = try field.string() == "app" ? .promise : field.word(Linker.self)
  }
}

extension LinkerReport {
  /// The result of a linker, as the parameters of `answerLinker` describe it.
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
