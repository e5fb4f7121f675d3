import ConformanceModel
import JSONKit
import LinkForty

/// What the adapter was started with.
struct AdapterOptions: Sendable {
  /// How the adapter behaves as an adapter.
  enum Posture: String, CaseIterable, Sendable {
    case honest
    /// Declares nothing and can do nothing.
    case null
    /// Declares everything, says yes to everything and does nothing.
    case lying
  }

  /// An argument that makes no sense.
  struct Problem: Error {
    var text: String
  }

  var posture = Posture.honest
  var switches = Switches<SDKSwitch>()

  init(_ arguments: some Sequence<String>) throws(Problem) {
    var on: Set<SDKSwitch> = []
    var rest = Array(arguments)[...]
    while let option = rest.popFirst() {
      let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard ["--defect", "--variant", "--posture"].contains(parts[0]) else {
        throw Problem(text: "unknown option '\(option)'; known are --defect ID, --variant ID, --posture WORD")
      }
      guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
        throw Problem(text: "\(option) needs a value")
      }
      if parts[0] == "--posture" {
        posture = try Self.posture(value)
      } else {
        on.insert(try Self.oneSwitch(value, isVariant: parts[0] == "--variant"))
      }
    }
    switches = Switches(on)
  }

  private static func posture(_ word: String) throws(Problem) -> Posture {
    guard let posture = Posture(rawValue: word) else {
      throw Problem(
        text: "unknown posture '\(word)'; known are \(Posture.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return posture
  }

  private static func oneSwitch(_ id: String, isVariant: Bool) throws(Problem) -> SDKSwitch {
    let known = SDKSwitch.allCases.filter { $0.isVariant == isVariant }
    guard let found = known.first(where: { $0.rawValue == id }) else {
      let kind = isVariant ? "variant" : "defect"
      let near = Nearest.words(to: id, in: known.map(\.rawValue))
      let hint = near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
      let list = known.map(\.rawValue).sorted().joined(separator: "\n  ")
      throw Problem(text: "unknown \(kind) '\(id)'\(hint)\nknown are:\n  \(list)")
    }
    return found
  }
}
