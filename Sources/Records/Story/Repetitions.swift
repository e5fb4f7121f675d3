/// Finds repetitions of elements, or of groups of elements, in a list.
package struct Repetitions<Shape: Equatable> {
  let shapes: [Shape]

  package init(shapes: [Shape]) {
    self.shapes = shapes
  }

  /// The longest repetition that begins at `start`: a group of at most four elements that occurs at least three times
  /// in a row. Nil if no such group begins there.
  package func longest(at start: Int) -> (length: Int, count: Int)? {
    (1...4).map { length in (length: length, count: count(of: length, at: start)) }.filter { $0.count > 2 }
      .max { $0.length * $0.count < $1.length * $1.count }
  }

  /// Counts how many times in a row the `length` elements at `start` occur.
  private func count(of length: Int, at start: Int) -> Int {
    var count = 1
    while start + (count + 1) * length <= shapes.count,
      shapes[start..<(start + length)].elementsEqual(
        shapes[(start + count * length)..<(start + (count + 1) * length)])
    {
      count += 1
    }
    return count
  }
}
