import JSONKit
import ReferenceKit
import Testing

/// A list outlives an app that is killed at any moment, in a file that does not grow for ever.
@Suite struct JournalTests {
  /// A file as a journal writes it.
  private struct File {
    var bytes: [UInt8] = []
    var replacements = 0

    mutating func write(_ write: Journal.Write?) {
      switch write {
      case .append(let new): bytes += new
      case .replace(let all): (bytes, replacements) = (all, replacements + 1)
      case nil: break
      }
    }

    var values: [JSON] { Journal.entries(of: bytes).map(\.value) }
  }

  @Test func aChangeIsALine() {
    var (journal, file) = (Journal(nil), File())
    file.write(journal.take([.add(1, ["a": 1])]))
    file.write(journal.take([.add(2, "b\nc"), .remove(1)]))
    #expect(String(decoding: file.bytes, as: UTF8.self) == "[1,{\"a\":1}]\n[2,\"b\\nc\"]\n[1]\n")
    #expect(file.values == ["b\nc"])
  }

  @Test func whatChangesNothingIsNotWritten() {
    var journal = Journal(nil)
    #expect(journal.take([]) == nil)
    #expect(journal.take([.remove(1)]) == nil)
  }

  /// Wherever the end of the app cuts the file: what was written before is there, and the next launch goes on with it.
  @Test func aFileThatWasCutHoldsWhatWasWrittenBefore() {
    var (journal, file) = (Journal(nil), File())
    file.write(journal.take([.add(1, "one")]))
    let first = file.bytes.count
    file.write(journal.take([.add(2, "two"), .remove(1)]))
    let second = file.bytes.count - "[1]\n".utf8.count
    for count in 0...file.bytes.count {
      var cut = File(bytes: Array(file.bytes.prefix(count)))
      let left: [JSON] =
        count == file.bytes.count ? ["two"] : count >= second ? ["one", "two"] : count >= first ? ["one"] : []
      #expect(cut.values == left, "\(count)")
      var next = Journal(cut.bytes)
      cut.write(next.take([.add(3, "three")]))
      cut.write(next.take([.add(4, "four")]))
      #expect(cut.values == left + ["three", "four"], "\(count)")
    }
  }

  @Test func theOrderIsThatOfTheNumbers() {
    var (journal, file) = (Journal(nil), File())
    file.write(journal.take((1...100).reversed().map { .add($0, .int($0)) }))
    #expect(file.values == (1...100).map { .int($0) })
  }

  @Test func aLongListIsReplacedSeldomAndAnEmptyOneLeavesLittle() {
    var (journal, file) = (Journal(nil), File())
    for number in 1...2_000 { file.write(journal.take([.add(number, "value")])) }
    for number in 1...2_000 { file.write(journal.take([.remove(number)])) }
    #expect(file.values.isEmpty)
    #expect(file.bytes.count < 2_000)
    #expect(file.replacements < 20)
  }

  @Test func aFailureIsMadeGoodByTheNextChange() {
    var (journal, file) = (Journal(nil), File())
    file.write(journal.take([.add(1, "one")]))
    guard case .append(let lost)? = journal.take([.add(2, "two")]) else {
      Issue.record("the second change is no line of its own")
      return
    }
    file.bytes += lost.prefix(3)
    journal.noteFailure()
    file.write(journal.take([.add(3, "three")]))
    #expect(file.values == ["one", "two", "three"])
  }

  @Test(arguments: ["", "\n\n", "null\n", "[1,2,3]\n", "{}\n", "[\n", "[1,1]", "[]\n", "[\"1\",2]\n"])
  func whatMakesNoSenseIsNoEntry(_ text: String) {
    #expect(Journal.entries(of: Array(text.utf8)).isEmpty)
    let line = text.hasSuffix("\n") || text.isEmpty ? text : text + "\n"
    #expect(Journal.entries(of: Array((line + "[7,8]\n").utf8)).last?.value == 8)
  }
}
