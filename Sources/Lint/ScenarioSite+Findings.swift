import ConformanceModel
import Coverage
import JSONKit

extension ScenarioSite {
  func finding(at path: JSONPath, expected: String, found: String, hint: String? = nil) -> LintFinding {
    LintFinding(in: located.document, at: path, expected: expected, found: found, hint: hint)
  }

  func unknown(_ word: String, at path: JSONPath, _ noun: String, known: some Collection<String>) -> LintFinding? {
    LintFinding(in: located.document, at: path, unknown: word, noun, known: known)
  }
}
