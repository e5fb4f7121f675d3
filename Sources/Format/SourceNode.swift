import ConformanceSpec
import JSONKit
import SpecDocuments

/// A value of a file, and the range of bytes that spells it.
struct SourceNode: Sendable {
  let value: JSON
  private let place: SpecDocument.Place
  private let text: SourceText
  /// Whether the value is inside brackets (YAML's flow style).
  private let isInBrackets: Bool

  init(_ document: SpecDocument, in text: SourceText) {
    self.init(value: document.value, place: document.place, text: text, isInBrackets: false)
  }

  private init(value: JSON, place: SpecDocument.Place, text: SourceText, isInBrackets: Bool) {
    self.value = value
    self.place = place
    self.text = text
    self.isInBrackets = isInBrackets
  }

  /// A member of a mapping: its key and its value.
  struct Member: Sendable {
    let key: String
    let node: SourceNode
  }

  var members: [Member] {
    guard let object = value.object else { return [] }
    return zip(object.members, place.children).map { member, place in
      Member(key: member.key, node: child(member.value, place))
    }
  }

  var elements: [SourceNode] {
    guard let array = value.array else { return [] }
    return zip(array, place.children).map { child($0, $1) }
  }

  subscript(key: String) -> SourceNode? { members.first { $0.key == key }?.node }

  private func child(_ value: JSON, _ place: SpecDocument.Place) -> SourceNode {
    SourceNode(value: value, place: place, text: text, isInBrackets: isWrittenInBrackets)
  }

  /// Whether the members or elements of the value are written in brackets.
  var isWrittenInBrackets: Bool { isInBrackets || text.isBracket(at: start) }

  /// The place at which the value begins.
  var start: Int { text.offset(of: place.start) }

  /// The place at which the value ends, its quotes and brackets included.
  var end: Int {
    guard value.object != nil || value.array != nil else {
      return text.endOfScalar(at: start, inBrackets: isInBrackets)
    }
    let parts = value.object == nil ? elements : members.map(\.node)
    guard text.isBracket(at: start) else { return parts.last?.end ?? start }
    return text.endOfBrackets(after: parts.last?.end ?? start + 1)
  }

  /// The range of the key before the value, quotes included; an empty range for an element of a list.
  var keyRange: Range<Int> {
    let first = text.offset(of: place.position)
    return first..<(place.position == place.start ? first : text.endOfKey(at: first))
  }

  /// The number of characters before the key on its line.
  var indentation: Int { place.position.column - 1 }

  /// The place for a new line after the line on which the value ends.
  var endOfLine: Int { text.endOfLine(from: end) }
}
