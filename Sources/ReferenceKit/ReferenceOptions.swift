import JSONKit

/// The arguments of a reference SDK's adapter: `--defect ID`, `--variant ID` and `--restrictions JSON`. Only the kit
/// uses `--restrictions`.
package struct ReferenceOptions<List: SwitchList>: Sendable {
  /// An invalid argument.
  package struct Problem: Error {
    package var text: String
  }

  package private(set) var switches = Switches<List>()
  /// The capabilities and other parts that the SDK leaves out; nil if it leaves nothing out.
  package private(set) var restrictions: Restrictions?

  package init(_ arguments: some Sequence<String>) throws(Problem) {
    var on: Set<List> = []
    var rest = Array(arguments)[...]
    while let option = rest.popFirst() {
      let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard ["--defect", "--variant", "--restrictions"].contains(parts[0]) else {
        throw Problem(text: "unknown option '\(option)'; known are --defect ID, --variant ID")
      }
      guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
        throw Problem(text: "\(option) needs a value")
      }
      guard parts[0] != "--restrictions" else {
        restrictions = try Self.restrictions(value)
        continue
      }
      on.insert(try Self.oneSwitch(value, isVariant: parts[0] == "--variant"))
    }
    switches = Switches(on)
  }

  private static func restrictions(_ text: String) throws(Problem) -> Restrictions {
    do { return try Restrictions(JSONField(JSON(parsing: text))) } catch {
      throw Problem(text: "--restrictions: \(error)")
    }
  }

  private static func oneSwitch(_ id: String, isVariant: Bool) throws(Problem) -> List {
    let known = List.allCases.filter { $0.isVariant == isVariant }
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
