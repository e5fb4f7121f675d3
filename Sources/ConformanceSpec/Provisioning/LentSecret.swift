import ConformanceModel
import ConformanceProvisioning
import HTTPValues
import JSONKit
import Templates
import TextKit

/// A text of a provisioning file that is redacted in evidence.
struct LentSecret {
  var text: String
  var path: JSONPath
  /// The environment variable that contained the text; nil if the text is in the file itself.
  var variable: String?

  /// All secrets of a file. These are the texts listed in `secrets`, the values of variables and members that have the
  /// name of a secret, the values that the protocol declares as secrets, the credentials in header fields, and the
  /// passwords in URLs. Other values from the environment, such as an id, are not secrets.
  static func all(
    in root: JSONField, environment: EnvironmentText, definition: ProtocolDefinition
  ) -> [LentSecret] {
    let used = environment.used.sorted { $0.key < $1.key }.filter { SecretName.isSecret($0.key) }.map {
      LentSecret(text: $0.value.value, path: $0.value.path, variable: $0.key)
    }
    let named = ((try? root.member("secrets")?.elements()) ?? []).map { LentSecret($0) }
    let values = definition.secrets.compactMap { root.member("values")?.member($0) }.map { LentSecret($0) }
    let lent = ["start", "hooks", "cleanUp", "logins"].compactMap { root.member($0) }.flatMap(byName)
    let placed = named + values + lent + root.headers.flatMap(credentials) + passwords(root)
    return used
      + placed.map { secret in
        let variable = environment.used.first { $0.value.path == secret.path }?.key
        return LentSecret(text: secret.text, path: secret.path, variable: variable)
      }
  }

  /// The texts, at any depth, of members whose name is a word for a secret, such as `token`. Texts with holes are left
  /// out.
  private static func byName(_ field: JSONField) -> [LentSecret] {
    guard let members = try? field.members() else { return ((try? field.elements()) ?? []).flatMap(byName) }
    return members.flatMap { name, field in
      guard SecretName.isSecret(name), let text = field.value.string else { return byName(field) }
      // Header fields with credentials are handled separately.
      let isCredential = credentialHeaders.contains { name.equalsIgnoringCase($0) }
      return isCredential || HoleText(text).hasHoles ? [] : [LentSecret(field)]
    }
  }

  /// A problem for each path at which a secret is too short to be redacted.
  static func problems(of secrets: [LentSecret]) -> [JSONField.Problem] {
    let shortest = Provisioning.shortestSecret
    var told: Set<JSONPath> = []
    return secrets.filter { $0.text.count < shortest && told.insert($0.path).inserted }.map { secret in
      JSONField.Problem(
        path: secret.path, expected: "secrets of at least \(shortest) characters",
        found: "\(secret.variable.map { "in \($0) " } ?? "")one of \(secret.text.count)",
        hint: "evidence would be blackened wherever it occurs by chance")
    }
  }

  private init(text: String, path: JSONPath, variable: String? = nil) {
    self.text = text
    self.path = path
    self.variable = variable
  }

  private init(_ field: JSONField) { self.init(text: field.value.string ?? field.value.compactText, path: field.path) }

  private static let credentialHeaders = ["Authorization", "Proxy-Authorization", "Cookie"]

  /// The credentials in header fields. In `Bearer abc`, they are `abc`, the text after the scheme. Fields are left out
  /// if they have holes, which only the run can fill.
  private static func credentials(_ headers: JSONField) -> [LentSecret] {
    ((try? headers.members()) ?? []).compactMap { name, field in
      let name = name.hasSuffix("?") ? String(name.dropLast()) : name
      guard SecretName.isSecret(name) || credentialHeaders.contains(where: { name.equalsIgnoringCase($0) }),
        let text = try? Template(field).renderText([:])
      else { return nil }
      return LentSecret(
        text: text.firstIndex(of: " ").map { String(text[text.index(after: $0)...]) } ?? text, path: field.path)
    }
  }

  private static func passwords(_ root: JSONField) -> [LentSecret] {
    let urls = [root.member("url")].compactMap(\.self) + ((try? root.member("urls")?.members().map(\.field)) ?? [])
    return urls.compactMap { field in
      guard let information = field.value.string.flatMap(URLText.userInfo(of:)) else { return nil }
      let password = information.firstIndex(of: ":").map { String(information[information.index(after: $0)...]) }
      return LentSecret(text: password ?? information, path: field.path)
    }
  }
}

extension JSONField {
  /// The objects with header fields in the file: for every request, in hooks and log-in requests, and in requests of
  /// bound exchanges.
  fileprivate var headers: [JSONField] {
    let calls =
      ["hooks", "logins"].flatMap { (try? member($0)?.members())?.map(\.field) ?? [] }
      + [member("cleanUp")].compactMap(\.self)
    let hooks = calls.compactMap { $0.member("http")?.member("headers") }
    let exchanges = ((try? member("exchanges")?.members()) ?? []).compactMap { $0.field.member("headers") }
    return [member("headers")].compactMap(\.self) + hooks + exchanges
  }
}
