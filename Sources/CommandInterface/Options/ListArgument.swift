import ArgumentParser

/// The argument of an option that accepts several values, separated by commas.
///
/// A user may also repeat such an option. Every option for names has the type `[ListArgument]`, so that both forms work
/// for all of them.
package struct ListArgument<Value: ExpressibleByArgument & Sendable>: ExpressibleByArgument, Sendable {
  var values: [Value]

  package init?(argument: String) {
    let words = argument.partsBetweenCommas
    values = words.compactMap { Value(argument: $0) }
    if values.count < words.count { return nil }
  }

  package static var allValueStrings: [String] { Value.allValueStrings }
  package static var defaultCompletionKind: CompletionKind { Value.defaultCompletionKind }
}

extension Sequence {
  /// The values of an option that may be repeated, in order.
  package func values<Value>() -> [Value] where Element == ListArgument<Value> { flatMap(\.values) }
}

extension String {
  /// The parts between commas. A comma inside square brackets does not separate parts, because it belongs to the name
  /// of a row.
  fileprivate var partsBetweenCommas: [String] {
    var parts = [""]
    var depth = 0
    for character in self {
      switch character {
      case "[": depth += 1
      case "]": depth -= 1
      default: break
      }
      if character == ",", depth <= 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
    }
    return parts
  }
}
