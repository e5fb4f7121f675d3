/// Recognises the names that people give to secrets in variables, options, header fields, parameters and members.
package enum SecretName {
  /// Whether the value with this name is probably a secret. The last words of the name decide: `API_TOKEN`,
  /// `--password`, `X-Api-Key` and `clientSecret` are names of secrets. `token-file` and `Idempotency-Key` are not
  /// names of secrets.
  package static func isSecret(_ name: String) -> Bool {
    var words = words(of: name)
    while let last = words.last, words.count > 1, last.allSatisfy(\.isNumber) { words.removeLast() }
    guard let last = words.last else { return false }
    if secrets.contains(last) { return true }
    return last == "key" && words.dropLast().last.map(keyed.contains) ?? false
  }

  private static let secrets: Set<String> = [
    "password", "passwd", "passphrase", "passcode", "pass", "pwd", "secret", "secrets", "token", "tokens", "apikey",
    "credential", "credentials", "authorization", "cookie", "bearer",
  ]

  /// If one of these words is before `key`, the key gives access, so it is a secret. A key with any other name only
  /// identifies something.
  private static let keyed: Set<String> = [
    "api", "access", "secret", "private", "signing", "encryption", "auth", "service", "account", "license", "master",
  ]

  /// The words of a name in lower case, split at capitals and at any character that is not a letter or digit.
  private static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var last: Character = " "
    for character in name {
      let isBreak = character.isUppercase && (last.isLowercase || last.isNumber)
      if !word.isEmpty, isBreak || !(character.isLetter || character.isNumber) {
        words.append(word.lowercased())
        word = ""
      }
      if character.isLetter || character.isNumber { word.append(character) }
      last = character
    }
    return word.isEmpty ? words : words + [word.lowercased()]
  }
}
