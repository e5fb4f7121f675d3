import JSONKit

/// A JSON value, written over several lines. The lines of the values at given paths are marked. If the value is long,
/// lines far from a marked line are left out.
struct MarkedJSON {
  /// One line of the output.
  struct Line: Hashable {
    var text: String
    var isMarked = false
  }

  private let paths: [JSONPath]
  private var lines: [Line] = []

  /// A value of at most `limit` lines is shown completely. Of a longer value, the first `limit` lines are shown if no
  /// line is marked. Otherwise, the first marked lines are shown, with `near` lines before and after each of them.
  private static let (limit, near) = (60, 4)
  /// The largest number of characters of a value on a line.
  private static let width = 600

  /// The lines of a value. If a path names a member that is not in the value, a separate marked line reports its
  /// absence.
  static func lines(of value: JSON, marking paths: [JSONPath]) -> [Line] {
    var text = MarkedJSON(paths: paths.filter { $0 != .root })
    text.write(value, at: [], margin: "", before: "", behind: "")
    return text.shortened
  }

  private init(paths: [JSONPath]) { self.paths = paths }

  private mutating func write(
    _ value: JSON, at place: [JSONPath.Step], margin: String, before: String, behind: String
  ) {
    func line(_ text: String) -> Line { Line(text: margin + text, isMarked: isMarked(place)) }
    switch value {
    case .object(let object) where !object.members.isEmpty || !absent(from: object, at: place).isEmpty:
      lines.append(line(before + "{"))
      for (index, member) in object.members.enumerated() {
        write(
          member.value, at: place + [.key(member.key)], margin: margin + "  ",
          before: JSON.string(member.key).compactText + ": ", behind: index + 1 < object.members.count ? "," : "")
      }
      for key in absent(from: object, at: place) {
        lines.append(Line(text: margin + "  (no member \(JSON.string(key).compactText))", isMarked: true))
      }
      lines.append(line("}" + behind))
    case .array(let elements) where !elements.isEmpty:
      lines.append(line(before + "["))
      for (index, element) in elements.enumerated() {
        write(
          element, at: place + [.index(index)], margin: margin + "  ", before: "",
          behind: index + 1 < elements.count ? "," : "")
      }
      lines.append(line("]" + behind))
    default: lines.append(line((before + value.compactText).cut(at: Self.width) + behind))
    }
  }

  /// Whether one of the marked paths leads to the value at this place, or to a value that contains it.
  private func isMarked(_ place: [JSONPath.Step]) -> Bool {
    paths.contains { !$0.steps.isEmpty && place.starts(with: $0.steps) }
  }

  /// The members that the marked paths name in the object at this place, but that the object does not have.
  private func absent(from object: JSON.Object, at place: [JSONPath.Step]) -> [String] {
    var names: [String] = []
    for path in paths where path.steps.count > place.count && path.steps.starts(with: place) {
      guard case .key(let key) = path.steps[place.count], object[key] == nil, !names.contains(key) else { continue }
      names.append(key)
    }
    return names
  }

  private var shortened: [Line] {
    if lines.count <= Self.limit { return lines }
    let marks = lines.indices.filter { lines[$0].isMarked }.prefix(Self.limit / 2)
    let kept =
      marks.isEmpty
      ? Set(lines.indices.prefix(Self.limit))
      : Set(marks.flatMap { max(0, $0 - Self.near)...min(lines.count - 1, $0 + Self.near) })
    var shown: [Line] = []
    for index in lines.indices {
      if kept.contains(index) {
        shown.append(lines[index])
      } else if shown.last?.text != "…" {
        shown.append(Line(text: "…"))
      }
    }
    return shown
  }
}
