import ConformanceSpec
import JSONKit
import SpecDocuments

/// A lint rule about a catalogue. It can compare several files.
package struct LintRule: Sendable {
  /// The name that `conform lint` prints beside a diagnostic.
  package let name: String
  /// One sentence that states the rule.
  package let text: String
  let severity: Diagnostic.Severity
  let find: @Sendable (LintSubject) -> [LintFinding]

  init(
    _ name: String, _ text: String, severity: Diagnostic.Severity = .error,
    find: @escaping @Sendable (LintSubject) -> [LintFinding]
  ) {
    self.name = name
    self.text = text
    self.severity = severity
    self.find = find
  }

  func diagnostics(of subject: LintSubject) -> [Diagnostic] {
    find(subject).map { $0.diagnostic(rule: name, severity: severity) }
  }
}

/// A place that violates a rule.
struct LintFinding: Sendable {
  /// The place of a finding: a value in a document, or a whole file.
  enum Place: Sendable {
    case value(SpecDocument)
    case file(String)
  }

  var place: Place
  var problem: JSONField.Problem

  init(in document: SpecDocument, at path: JSONPath, expected: String, found: String, hint: String? = nil) {
    place = .value(document)
    problem = .init(path: path, expected: expected, found: found, hint: hint)
  }

  init(file: String, expected: String, found: String) {
    place = .file(file)
    problem = .init(path: .root, expected: expected, found: found)
  }

  func diagnostic(rule: String, severity: Diagnostic.Severity) -> Diagnostic {
    switch place {
    case .value(let document): document.diagnostic(problem, rule: rule, severity: severity)
    case .file(let file):
      Diagnostic(
        severity: severity, rule: rule, file: file, expected: problem.expected, found: problem.found,
        hint: problem.hint)
    }
  }
}

extension Located {
  /// A finding about this value or, if `key` is given, about this member of the value.
  func finding(at key: String? = nil, expected: String, found: String, hint: String? = nil) -> LintFinding {
    LintFinding(
      in: document, at: key.map { path.appending(key: $0) } ?? path, expected: expected, found: found, hint: hint)
  }

  /// The finding that the member `key` contains the unknown name `word`. nil if `known` contains `word`.
  func unknown(
    _ word: String, at key: String, _ noun: String, known: some Collection<String>
  ) -> LintFinding? {
    LintFinding(in: document, at: path.appending(key: key), unknown: word, noun, known: known)
  }
}

extension LintFinding {
  /// The finding that the value at `path` is the unknown name `word`. nil if `known` contains `word`.
  init?(
    in document: SpecDocument, at path: JSONPath, unknown word: String, _ noun: String,
    known: some Collection<String>
  ) {
    guard !known.contains(word) else { return nil }
    let few = known.count <= 12 ? ": " + known.sorted().joined(separator: ", ") : ""
    self.init(
      in: document, at: path, expected: known.isEmpty ? "\(noun), of which there are none" : noun + few,
      found: "'\(word)'", hint: Nearest.suggestion(for: word, in: known))
  }
}
