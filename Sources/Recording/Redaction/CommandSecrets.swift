import HTTPValues
import Processes
import TextKit

/// The secrets in the command line of a subject: the word after `--password`, the value in `API_TOKEN=…`, the value of
/// a header such as `Authorization: …`, and the credentials in a URL.
package struct CommandSecrets: Sendable {
  /// The secrets in plain text.
  package private(set) var values: [String] = []
  /// The command with a placeholder for each secret, as a line that ``ProgramCommand`` and any shell can parse.
  package let shown: String

  /// A line that cannot be split into words is shown unchanged, since it cannot start a subject.
  package init(_ line: String) {
    guard let command = try? ProgramCommand(shellLike: line) else {
      shown = line
      return
    }
    var (safe, found): (ProgramCommand, [String]) = (command, [])
    for (name, value) in command.environment {
      safe.environment[name] = SecretName.isSecret(name) ? Self.hide(value, &found) : Self.hidingURL(value, &found)
    }
    var isSecret = false
    safe.arguments = command.arguments.map { word in
      let isNext = isSecret && !word.hasPrefix("--")
      isSecret = word.hasPrefix("-") && !word.contains("=") && SecretName.isSecret(word)
      return isNext ? Self.hide(word, &found) : Self.hiding(word, &found)
    }
    values = found
    // A line without secrets is shown as it was typed.
    shown = found.isEmpty ? line : "\(safe)"
  }

  /// A word of the form `name=value` or `Name: value` with a placeholder for a secret value.
  private static func hiding(_ word: String, _ found: inout [String]) -> String {
    // A mark inside a URL does not separate a name from a value.
    let scheme = word.firstRange(of: "://")?.lowerBound ?? word.endIndex
    for mark in ["=", ": ", ":"] {
      guard let range = word.firstRange(of: mark), range.lowerBound < scheme,
        SecretName.isSecret(String(word[..<range.lowerBound])), !word[range.upperBound...].isEmpty
      else { continue }
      return word[..<range.upperBound] + hide(String(word[range.upperBound...]), &found)
    }
    return hidingURL(word, &found)
  }

  /// A URL with placeholders for its user information and its secret parameters.
  private static func hidingURL(_ word: String, _ found: inout [String]) -> String {
    guard let scheme = word.firstRange(of: "://") else { return word }
    var text = word
    if let information = URLText.userInfo(of: word), !information.isEmpty {
      let hidden = hide(information, &found)
      if let password = information.firstIndex(of: ":") {
        _ = hide(String(information[information.index(after: password)...]), &found)
      }
      text = word[..<scheme.upperBound] + hidden + word[scheme.upperBound...].dropFirst(information.count)
    }
    var (safe, rest) = ("", text[...])
    while let mark = rest.firstIndex(where: { "?#&".contains($0) }) {
      let parameter = rest[rest.index(after: mark)...].prefix { !"?#&".contains($0) }
      safe += rest[...mark]
      if let equals = parameter.firstIndex(of: "="), SecretName.isSecret(String(parameter[..<equals])) {
        safe += parameter[...equals] + hide(String(parameter[parameter.index(after: equals)...]), &found)
      } else {
        safe += parameter
      }
      rest = rest[parameter.endIndex...]
    }
    return safe + rest
  }

  private static func hide(_ value: String, _ found: inout [String]) -> String {
    guard !value.isEmpty else { return value }
    found.append(value)
    // The word after the scheme of a credential is a secret by itself, too.
    if let space = value.lastIndex(of: " ") { found.append(String(value[value.index(after: space)...])) }
    return Redaction.placeholder()
  }
}
