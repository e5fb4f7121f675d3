import Concurrency
import ConformanceVerdict

/// A test suite of a JUnit report, ready to be written.
struct JUnitSuite: Sendable {
  /// One test case of the suite. Its texts contain only characters that XML allows.
  struct Case: Hashable, Sendable {
    /// The result of a test case that did not pass. A test case has at most one result.
    enum Result: Hashable, Sendable {
      case failure(type: XMLText, message: XMLText, body: XMLText)
      case error(type: XMLText, message: XMLText, body: XMLText)
      /// The message is nil unless the dialect is `rich`.
      case skipped(message: XMLText?, XMLText)
    }

    var name: XMLText
    /// The time in whole milliseconds, so that the sums in a report are exact.
    var milliseconds: Int
    var result: Result?
    /// Further facts about the verdict, for `system-out`; nil for a verdict that passed or was skipped.
    var output: XMLText?
  }

  /// A fact about the suite: a name and a value.
  struct Property: Hashable, Sendable {
    var name: String
    var value: String
  }

  var name: String
  /// The start of the run in UTC, without a time zone and without fractions of a second. Every program that reads JUnit
  /// files accepts this form.
  var timestamp: String
  var properties: [Property]
  var counts: Counts
  /// Makes the test case with this index in ``cases``.
  var makeCase: @Sendable (Int) -> Case

  /// The test cases. They are made a few at a time when they are needed, because all together are larger than the
  /// record.
  var cases: some Sequence<Case> {
    let few = 64
    return stride(from: 0, to: counts.tests, by: few).lazy.flatMap { [makeCase, counts] start in
      (start..<Swift.min(start + few, counts.tests)).concurrentMap(makeCase)
    }
  }

  /// The numbers of test cases by result, and their total time. They become attributes of the suite.
  struct Counts: Hashable, Sendable {
    var tests = 0
    var failures = 0
    var errors = 0
    var skipped = 0
    var milliseconds = 0

    /// Counts a test case whose verdict has this disposition.
    mutating func add(_ disposition: Disposition, milliseconds: Int) {
      tests += 1
      self.milliseconds += milliseconds
      switch disposition {
      case .fail, .stale: failures += 1
      case .error: errors += 1
      case .skipped, .advisory, .known: skipped += 1
      case .pass: break
      }
    }

    static func + (left: Self, right: Self) -> Self {
      Self(
        tests: left.tests + right.tests, failures: left.failures + right.failures, errors: left.errors + right.errors,
        skipped: left.skipped + right.skipped, milliseconds: left.milliseconds + right.milliseconds)
    }

    /// The seconds with exactly three decimals.
    var seconds: String { JUnitSuite.seconds(milliseconds) }
  }

  static func seconds(_ milliseconds: Int) -> String {
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}

extension XMLWriter {
  mutating func write(_ suite: JUnitSuite) {
    let counts = suite.counts
    start("testsuite")
    attribute("name", XMLText(suite.name))
    attribute("timestamp", XMLText(suite.timestamp))
    write(counts)
    attribute("skipped", "\(counts.skipped)")
    start("properties")
    for property in suite.properties {
      start("property")
      attribute("name", XMLText(property.name))
      attribute("value", XMLText(property.value))
      end()
    }
    end()
    for one in suite.cases { write(one, in: suite) }
    end()
  }

  /// The four attributes that the elements `testsuites` and `testsuite` have in common.
  mutating func write(_ counts: JUnitSuite.Counts) {
    attribute("tests", "\(counts.tests)")
    attribute("failures", "\(counts.failures)")
    attribute("errors", "\(counts.errors)")
    attribute("time", XMLText(counts.seconds))
  }

  private mutating func write(_ one: JUnitSuite.Case, in suite: JUnitSuite) {
    start("testcase")
    attribute("name", one.name)
    attribute("classname", XMLText(suite.name))
    attribute("time", XMLText(JUnitSuite.seconds(one.milliseconds)))
    switch one.result {
    case .failure(let type, let message, let body): writeProblem("failure", type, message, body)
    case .error(let type, let message, let body): writeProblem("error", type, message, body)
    case .skipped(let message, let reason):
      start("skipped")
      if let message { attribute("message", message) }
      text(reason)
      end()
    case nil: break
    }
    if let output = one.output { element("system-out", output) }
    end()
  }

  private mutating func writeProblem(_ name: StaticString, _ type: XMLText, _ message: XMLText, _ body: XMLText) {
    start(name)
    attribute("message", message)
    attribute("type", type)
    text(body)
    end()
  }

  private mutating func element(_ name: StaticString, _ content: XMLText) {
    start(name)
    text(content)
    end()
  }
}
