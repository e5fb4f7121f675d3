import ArgumentParser
import ConformanceModel
import ConformanceRunner
import Templates

/// The options that select a part of the catalogue.
package struct SelectionOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp("Only this role, such as sdk or server.", valueName: "role"),
    completion: NameCompletion.of(.role))
  package var role: Role?

  @Option(
    name: .customLong("dialect"),
    help: ArgumentHelp(
      "Only this dialect of the server. For several, repeat the option or use commas.", valueName: "name"),
    completion: NameCompletion.of(.dialect))
  var dialects: [ListArgument<String>] = []

  @Option(
    name: .customLong("case"),
    help: ArgumentHelp(
      "Only this case, or row of a case; * stands for any text. For several, repeat the option or use commas.",
      valueName: "name"),
    completion: NameCompletion.of(.testCase))
  package var cases: [ListArgument<String>] = []

  @Option(
    name: .customLong("requirement"),
    help: ArgumentHelp("Only this requirement. For several, repeat the option or use commas.", valueName: "id"),
    completion: NameCompletion.of(.requirement))
  var requirements: [ListArgument<String>] = []

  @Option(
    name: .customLong("feature"),
    help: ArgumentHelp(
      "Only this feature of the parity matrix. For several, repeat the option or use commas.", valueName: "number"),
    completion: NameCompletion.of(.feature))
  var features: [ListArgument<Int>] = []

  @Option(
    name: .customLong("profile"),
    help: ArgumentHelp(
      "Only the requirements of this profile. For several, repeat the option or use commas.", valueName: "name"),
    completion: NameCompletion.of(.profile))
  var profiles: [ListArgument<String>] = []

  /// The selection for these roles; an empty array selects all roles.
  ///
  /// In `--case`, a dialect may follow the name of a case, as in reports: `offline.capacity[101] @spec`.
  package func selection(_ roles: [Role]) -> Selection {
    let named = cases.values().map { CaseInstance.parts(of: $0) }
    return Selection(
      roles: roles, dialects: (dialects.values() + named.compactMap(\.dialect)).map { Dialect($0) },
      cases: named.map(\.name),
      requirements: requirements.values().map { RequirementID($0) },
      features: features.values(), profiles: profiles.values())
  }

  /// The selection as command-line options.
  package var words: [String] {
    var words = Words()
    words.add("--role", role?.rawValue)
    for dialect in dialects.values() { words.add("--dialect", dialect) }
    for name in cases.values() { words.add("--case", name) }
    for requirement in requirements.values() { words.add("--requirement", requirement) }
    for feature in features.values() { words.add("--feature", "\(feature)") }
    for profile in profiles.values() { words.add("--profile", profile) }
    return words.list
  }
}

extension CaseInstance {
  /// Splits a text such as `NAME @DIALECT` into the name of a case and a dialect. Reports and evidence write cases in
  /// this form. The dialect is nil if the text contains only a name.
  fileprivate static func parts(of text: String) -> (name: String, dialect: String?) {
    guard let at = text.lastIndex(of: "@"), text[at...].allSatisfy({ $0 != "]" }) else { return (text, nil) }
    let name = text[..<at].reversed().drop { $0 == " " }.reversed()
    return (String(name), String(text[text.index(after: at)...]))
  }
}

extension Role: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}
extension Gate: ExpressibleByArgument {}
extension ClockMode: ExpressibleByArgument {}
