import ConformanceVerdict
import FoundationEssentials

/// The environment variables that the programs of subjects may read, such as `CONFORM_DEFECT` of the examples. A
/// command that repeats a run must set the same variables.
package struct SubjectVariables {
  /// The prefix of the variables that belong to the kit, its scripts and its examples.
  private static let prefix = "CONFORM_"
  /// The variables of the kit itself, and of its scripts.
  private static let own: Set<String> = [
    "CONFORM_ADAPTER_URL", "CONFORM_BUILD", "CONFORM_BUILT", "CONFORM_IDLE", "CONFORM_OPTIONS", "CONFORM_PACKS",
    "CONFORM_RELAY",
  ]
  /// The words that mark a variable as secret. If the name of a variable contains one, its value must not be in a
  /// record.
  private static let secrets = ["KEY", "PASSWORD", "SECRET", "TOKEN"]

  private let variables: [(name: String, value: String)]

  package init(of environment: [String: String] = ProcessInfo.processInfo.environment) {
    variables = environment.filter { name, _ in
      name.hasPrefix(Self.prefix) && !Self.own.contains(name) && !Self.secrets.contains(where: name.contains)
        && name.utf8.allSatisfy(\.isOfShellName)
    }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The text that sets the variables at the beginning of a shell command, such as `CONFORM_DEFECT=a `; empty without
  /// variables.
  package var prefix: String { variables.map { "\($0.name)=\($0.value.quotedForShell) " }.joined() }
}

extension UInt8 {
  /// Whether the character may be in the name of a variable: an ASCII letter or digit, or `_`.
  fileprivate var isOfShellName: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
