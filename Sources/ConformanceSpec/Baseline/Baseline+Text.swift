import ConformanceVerdict
import JSONKit
import SpecDocuments
import TextKit

extension Baseline {
  /// The canonical text: entries sorted by causes and cases, and members in a fixed order. A baseline that is read from
  /// this text is equal to this baseline. The text has no comments: the `reason` of an entry takes their place.
  package var text: String {
    let head = ["kit: \(Baseline.formVersion)", "protocol: \(protocolName.yamlScalar)"]
    guard !entries.isEmpty else { return (head + ["known: []"]).joined(separator: "\n") + "\n" }
    let blocks = entries.sorted { $0.precedes($1) }.map(\.lines)
    return (head + ["known:"] + blocks.joined(separator: [""])).joined(separator: "\n") + "\n"
  }
}

extension Baseline.Entry {
  fileprivate func precedes(_ other: Self) -> Bool {
    if cause != other.cause { return cause.rawValue.precedesByNumber(other.cause.rawValue) }
    let cases = (firstCase, other.firstCase)
    if cases.0 != cases.1 { return cases.0.precedesByNumber(cases.1) }
    return (dialects.map(\.rawValue).joined(separator: " "), line)
      < (other.dialects.map(\.rawValue).joined(separator: " "), other.line)
  }

  private var firstCase: String { covers[cause]?.min { $0.text.precedesByNumber($1.text) }?.text ?? "" }

  fileprivate var lines: [String] {
    var lines = ["  - cause: \(cause.rawValue.yamlScalar)", "    covers:"]
    for (requirement, patterns) in covers.sorted(by: { $0.key.rawValue.precedesByNumber($1.key.rawValue) }) {
      lines.append("      \(requirement.rawValue.yamlScalar):")
      lines += patterns.sorted { $0.text.precedesByNumber($1.text) }.map { "        - \($0.text.yamlScalar)" }
    }
    if !dialects.isEmpty {
      lines.append("    dialects: [\(dialects.map(\.rawValue.yamlScalar).joined(separator: ", "))]")
    }
    lines += ["    expects:"] + expects.flatMap(\.lines) + ["    reason: \(reason.yamlScalar)"]
    if isFlaky { lines.append("    flaky: true") }
    if let link { lines.append("    link: \(link.yamlScalar)") }
    if let expires { lines.append("    expires: \(expires.yamlScalar)") }
    if let condition {
      lines.append("    when:")
      if let version = condition.version { lines.append("      version: \(version.yamlScalar)") }
      if let platform = condition.platform { lines.append("      platform: \(platform.yamlScalar)") }
    }
    return lines
  }
}

extension Baseline.Expectation {
  fileprivate var lines: [String] {
    switch self {
    case .unjudged(let reason): return ["      - unjudged: \(reason.yamlScalar)"]
    case .finding(let subject, let path, let expected, let observed):
      var lines = ["      - subject: \(subject.yamlScalar)"]
      if path != .root { lines.append("        path: \(path.description.yamlScalar)") }
      lines.append("        expected: \(expected.yamlScalar)")
      if let observed { lines.append("        observed: \(observed.yamlScalar)") }
      return lines
    }
  }
}

extension String {
  /// The text as a scalar that all YAML parsers read alike. The text is written without quotes if that is safe, and
  /// otherwise in double quotes, as in JSON.
  fileprivate var yamlScalar: String {
    let isWord = utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "-_./[]".utf8.contains(byte)
    }
    let begins = utf8.first.map { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) } ?? false
    let scalar = PlainScalar(text: self)
    let isPlain = isWord && begins && scalar.value.string != nil
    return isPlain && scalar.objection(isKey: false, inBrackets: true) == nil ? self : JSON.string(self).compactText
  }
}
