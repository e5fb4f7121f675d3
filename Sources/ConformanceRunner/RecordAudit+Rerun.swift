import ConformanceVerdict
import JSONKit
import Processes

extension RecordAudit {
  /// Checks that the command in `rerun` has the same baseline, clock, gate, seed and positions as the first line of the
  /// record, which contains it.
  func take(rerun header: RunRecord.Header) throws(JSONField.Problem) {
    guard let words = try? ProgramCommand(shellLike: header.rerun).arguments else {
      throw Self.problem("rerun", expected: "a command line", found: "'\(header.rerun)'")
    }
    let options: [(name: String, values: [String])] = [
      ("--baseline", [header.baseline?.file].compactMap(\.self)),
      ("--clock", [header.clock?.rawValue].compactMap(\.self)),
      ("--gate", header.gate == .stated ? [] : [header.gate.rawValue]),
      ("--seed", header.seed == 1 ? [] : ["\(header.seed)"]),
      ("--without-position", header.withoutPositions.map(\.rawValue)),
    ]
    for (name, values) in options {
      let found = zip(words, words.dropFirst()).filter { $0.0 == name }.map(\.1)
      guard found != values else { continue }
      let (wanted, given) = (Self.line(name, values), Self.line(name, found))
      throw Self.problem(
        "rerun", expected: (values.isEmpty ? "no \(name)" : wanted) + ", as the other members say",
        found: given.isEmpty ? "none" : given)
    }
  }

  private static func line(_ option: String, _ values: [String]) -> String {
    values.map { "\(option) \($0)" }.joined(separator: " ")
  }
}
