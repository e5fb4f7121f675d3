import Certification
import CommandInterface
import FrozenSets

extension ScoredCases {
  /// The cases of the newest frozen set of a protocol; nil if the protocol has no frozen set, so that all cases count.
  package init?(of source: ProtocolSource) throws {
    guard let set = try FrozenSets(of: source.name, in: source.folder).newest else { return nil }
    self.init(revision: set.revision, digest: set.digest, cases: set.cases)
  }
}
