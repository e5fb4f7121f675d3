import JSONKit

extension RunRecord {
  /// The last line of a record: how the run ended.
  package struct End: Hashable, Sendable {
    package var tally: Tally
    package var conclusion: Conclusion
    /// Further sentences about the run, such as a sentence about an entry of the baseline that has expired.
    package var notes: [String]
    /// Problems of the run that are not about a case, such as a subject that acts between cases, or a full disk.
    package var incidents: [String]
    /// Whether the run was stopped before all planned cases had run.
    package var wasInterrupted: Bool
    /// The real duration of the run, in milliseconds.
    package var duration: Double

    package init(
      tally: Tally, conclusion: Conclusion, notes: [String] = [], incidents: [String] = [],
      wasInterrupted: Bool = false, duration: Double
    ) {
      self.tally = tally
      self.conclusion = conclusion
      self.notes = notes
      self.incidents = incidents
      self.wasInterrupted = wasInterrupted
      self.duration = duration
    }

    package var exitCode: ExitCode { conclusion.exitCode }
  }
}

extension RunRecord.End: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    let counts = Disposition.allCases.map { ($0.rawValue, tally.counts[$0].map(JSON.int)) }
    members.add("counts", JSON.object(compact: counts))
    members.add("conclusion", conclusion.word.rawValue)
    members.add("reasons", conclusion.reasons)
    members.add("notes", notes)
    if !incidents.isEmpty { members.add("incidents", incidents) }
    members.add("exitCode", Int(exitCode.rawValue))
    members.add("interrupted", wasInterrupted)
    members.add("duration", JSON.number(duration))
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
    let word = try field.required("conclusion").word(Conclusion.Word.self)
    conclusion = Conclusion(word, try field.required("reasons").strings())
    notes = try field.required("notes").strings()
    incidents = try field.optional("incidents")?.strings() ?? []
    let code = try field.required("exitCode")
    guard try code.int() == Int(word.exitCode.rawValue) else {
      throw code.problem(expected: "\(word.exitCode.rawValue), that of '\(word.rawValue)'")
    }
    wasInterrupted = try field.required("interrupted").bool()
    duration = try field.required("duration").duration()
  }
}
