import ConformanceVerdict
import JSONKit

/// The places in a message to which a finding refers. These are the path of the finding, the members that its filter
/// names, and the members in which a message that almost fits the filter differs from it.
struct CitedPlaces {
  /// A value in a message, and its path.
  typealias Place = (path: JSONPath, value: JSON)

  /// The largest number of elements of a list that are shown.
  private static let mostElements = 3

  private let finding: Finding
  /// The path of the list whose elements the finding counts; nil if the finding does not count elements.
  private let list: JSONPath?
  /// The paths of the members that the finding's texts name. A path begins at the message or, if ``list`` is not nil,
  /// at an element of the list.
  private let named: [JSONPath]

  init(of finding: Finding) {
    self.finding = finding
    list = finding.subject.firstMatch(of: #/^elements of (\$\S*) in /#).flatMap { JSONPath(String($0.1)) }
    let start = finding.subject.firstRange(of: Finding.filterWord)?.lowerBound
    let filter = start.map { finding.subject[$0...] } ?? ""
    let names = filter.matches(of: #/(?: whose | and | or |\()([A-Za-z_]\w*(?:\.\w+)*) (?:is|has) /#).map(\.1)
    let near = finding.observed.matches(of: #/(\$[.\[]\S*) expected /#).map(\.1)
    named = (names + near).compactMap { JSONPath(String($0)) }
  }

  /// Whether the finding is about a part of a message.
  var isAboutPart: Bool { finding.path != .root }

  /// The values in a message that show how the message differs from the expectation. Empty if only the whole message
  /// can show the difference.
  func values(in message: JSON) -> [Place] {
    if let list { return elements(of: list, in: message) }
    if finding.path != .root || finding.observed.hasPrefix("{") { return own.map { message.nearest(to: $0) } }
    return named.compactMap { path in message[path].map { (path, $0) } }
  }

  /// The path of the finding. If the observed value is an object, and the expectation names some of its members, the
  /// paths of these members instead.
  private var own: [JSONPath] {
    guard finding.observed.hasPrefix("{") else { return [finding.path] }
    let names = finding.expected.matches(of: #/[{,] ?([A-Za-z_][A-Za-z0-9_]*): /#).map { String($0.1) }
    let members = names.filter { finding.observed.contains("\"\($0)\":") }
    return members.isEmpty ? [finding.path] : members.map { finding.path.appending(key: $0) }
  }

  /// The elements of a list that fit the finding best, each reduced to the members that the finding names. The best
  /// elements are those in which the most members have a value from the finding's text.
  private func elements(of list: JSONPath, in message: JSON) -> [Place] {
    let elements = (message[list]?.array ?? []).enumerated().compactMap { index, element -> (Int, Place)? in
      let members = named.compactMap { path in element[path].map { (path, $0) } }
      if members.isEmpty { return nil }
      let hits = members.count { finding.subject.contains($0.1.compactText) }
      let shown = members.reduce(JSON.object(.init())) { $0.setting($1.1, at: $1.0) }
      return (hits, (list.appending(index: index), shown))
    }
    let most = elements.map(\.0).max() ?? 0
    return Array(elements.filter { $0.0 == most }.map(\.1).prefix(Self.mostElements))
  }
}

extension JSON {
  /// The value at a path. If the path leads to no value, the value at the nearest path above it.
  fileprivate func nearest(to path: JSONPath) -> CitedPlaces.Place {
    var steps = path.steps
    while !steps.isEmpty {
      if let value = self[JSONPath(steps)] { return (JSONPath(steps), value) }
      steps.removeLast()
    }
    return (.root, self)
  }
}
