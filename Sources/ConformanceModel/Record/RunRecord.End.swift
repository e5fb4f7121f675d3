import JSONKit

extension RunRecord {
  /// How a run ended: the last line of a record.
  package struct End: Hashable, Sendable {
    package var tally: Tally
    package var exitCode: ExitCode
    /// Whether it was asked to stop before all planned cases had run.
    package var wasInterrupted: Bool
    /// Wall time of the run in milliseconds.
    package var duration: Double

    package init(tally: Tally, exitCode: ExitCode, wasInterrupted: Bool = false, duration: Double) {
      self.tally = tally
      self.exitCode = exitCode
      self.wasInterrupted = wasInterrupted
      self.duration = duration
    }
  }
}

extension RunRecord.End: JSONRepresentable {
  package var representation: JSON {
    let counts = Disposition.allCases.map { ($0.rawValue, tally.counts[$0].map(JSON.int)) }
    return [
      "counts": .object(compact: counts), "exitCode": .int(Int(exitCode.rawValue)),
      "interrupted": .bool(wasInterrupted), "duration": .number(duration),
    ]
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    tally = Tally()
    for (word, count) in try field.required("counts").members() {
      guard let disposition = Disposition(rawValue: word) else {
        throw count.problem(expected: "a disposition: " + Disposition.allCases.map(\.rawValue).joined(separator: ", "))
      }
      let number = try count.int()
      guard number >= 0 else { throw count.problem(expected: "a number of verdicts, at least 0") }
      tally.add(disposition, times: number)
    }
    let code = try field.required("exitCode")
    guard let exitCode = ExitCode(rawValue: Int32(clamping: try code.int())) else {
      throw code.problem(expected: "an exit code from 0 to 4")
    }
    self.exitCode = exitCode
    wasInterrupted = try field.required("interrupted").bool()
    duration = try field.required("duration").duration()
  }
}
