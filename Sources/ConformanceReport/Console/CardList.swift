import TextKit

/// A list at the end of a card: a title, and items of one or more lines.
struct CardList {
  let title: [String]
  let items: [[String]]
  /// The word for an item, in the singular.
  let noun: String
  /// The names of the items, in the same order. For items that have no room, the list shows their number and names. If
  /// `names` is empty, it shows only their number.
  var names: [String] = []
  /// The number of columns of a line.
  var width = Int.max

  /// The largest number of items that the list shows in full.
  private static let limit = 6

  /// The smallest number of lines that the list can have: an empty line, the title, and the number and names of the
  /// items that have no room.
  var leastLength: Int { items.isEmpty ? 0 : title.count + 1 + more(than: 0).count }

  /// The list in at most `room` lines. Only its title, and the number and names of items that are left out, may exceed
  /// `room`.
  func lines(in room: Int) -> [String] {
    guard !items.isEmpty else { return [] }
    let space = room - title.count - 1
    var shown = items.prefix(Self.limit)
    while shown.joined().count + more(than: shown.count).count > space, !shown.isEmpty { shown.removeLast() }
    return [""] + title + shown.joined() + more(than: shown.count)
  }

  /// The number and the names of the items after the first `count` items.
  private func more(than count: Int) -> [String] {
    let left = items.count - count
    guard left > 0 else { return [] }
    let names = Array(names.dropFirst(count)).first(Self.limit * 2, noun)
    let text = "… \(left) more \(left == 1 ? noun : noun + "s")" + (names.isEmpty ? "" : ": \(names)")
    return names.isEmpty ? ["    " + text] : text.wrapped(at: width, margin: "    ")
  }
}

extension [String] {
  /// The first names, separated by commas, and the number of the other names.
  func first(_ limit: Int, _ noun: String) -> String {
    let more = count > limit ? ["and \(count - limit) more \(noun)\(count - limit == 1 ? "" : "s")"] : []
    return (prefix(limit) + more).joined(separator: ", ")
  }
}
