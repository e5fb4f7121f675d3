import ConformanceModel
import ConformanceSpec
import JSONKit

extension FrozenSet {
  /// The set of all requirements and cases that a catalogue has now.
  package init(of catalogue: Catalogue, revision: String, since: String) {
    self.init(
      revision: revision, since: since,
      requirements: Dictionary(catalogue.requirements.map { ($0.id.rawValue, Self.digest($0)) }) { first, _ in first },
      cases: Dictionary(catalogue.cases.map { ($0.id.rawValue, $0.digest) }) { first, _ in first })
  }

  private static func digest(_ requirement: Requirement) -> String {
    let value = JSON.object(compact: [
      ("role", .string(requirement.role.rawValue)), ("level", .string(requirement.level.rawValue)),
      ("text", .string(requirement.text)),
    ])
    return Digest.of(Array(value.compactText.utf8))
  }

  /// A requirement or case of the set that the catalogue has changed or removed.
  package struct Change: Hashable, Sendable {
    /// The list in the set's file that contains it: `requirements` or `cases`.
    package var list: String
    package var name: String
    package var isGone: Bool
  }

  /// The requirements and cases of the set that a catalogue has changed or removed. Those that the catalogue has added
  /// do not change the set.
  package func changes(in catalogue: Catalogue) -> [Change] {
    let now = FrozenSet(of: catalogue, revision: revision, since: since)
    let lists = [("requirements", requirements, now.requirements), ("cases", cases, now.cases)]
    return lists.flatMap { list, old, new in
      old.sorted { $0.key < $1.key }.filter { new[$0.key] != $0.value }.map {
        Change(list: list, name: $0.key, isGone: new[$0.key] == nil)
      }
    }
  }
}
