import ConformanceSpec
import FrozenSets
import JSONKit

extension Linter {
  /// Rules about frozen sets: the requirements and cases of certificates do not change.
  static let frozenRules = [
    LintRule("frozen-name", "A frozen set has the name of its file.") { subject in
      subject.frozen.filter { !$0.document.file.hasSuffix("/\($0.value.revision).yaml") }.map { located in
        located.finding(
          at: "revision", expected: "the name of the file without .yaml", found: "'\(located.value.revision)'")
      }
    },
    LintRule("frozen-intact", "A frozen set is as it was when it was written.") { subject in
      subject.frozen.compactMap { located in
        let (stated, digest) = (located.document.value["digest"]?.string ?? "", located.value.digest)
        guard stated != digest else { return nil }
        return located.finding(
          at: "digest", expected: "\(digest.prefix(16))…, the digest of the rest of the file",
          found: "\(stated.prefix(16))…",
          hint: "certificates are about the set as it was: restore it, and write another with 'conform freeze'")
      }
    },
    LintRule(
      "frozen-kept", "The newest frozen set has the requirements and cases of the protocol, or fewer, as they are now."
    ) { subject in
      guard let newest = subject.frozen.last else { return [] }
      return newest.value.changes(in: subject.catalogue).map { change in
        LintFinding(
          in: newest.document, at: newest.path.appending(key: change.list).appending(key: change.name),
          expected: "as it was when the set '\(newest.value.revision)' was frozen",
          found: change.isGone ? "none" : "a change",
          hint: "a change needs a new set: 'conform freeze' writes it")
      }
    },
  ]
}
