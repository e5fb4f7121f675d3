/// A list at the end of a card: a title, and items of one or more lines.
struct CardList {
  let title: [String]
  let items: [[String]]
  /// The word for an item, in the singular.
  let noun: String

  /// The largest number of items that a card shows.
  private static let limit = 6

  /// The fewest lines of the list: an empty line, the title, and the number of the items.
  var leastLength: Int { items.isEmpty ? 0 : title.count + 2 }

  /// The list in at most `room` lines, but never less than its title and the number of items that are left out.
  func lines(in room: Int) -> [String] {
    guard !items.isEmpty else { return [] }
    let space = room - title.count - 1
    var shown = items.prefix(Self.limit)
    while shown.joined().count + (shown.count < items.count ? 1 : 0) > space, !shown.isEmpty { shown.removeLast() }
    let left = items.count - shown.count
    let more = left == 0 ? [] : ["    … \(left) more \(left == 1 ? noun : noun + "s")"]
    return [""] + title + shown.joined() + more
  }
}
