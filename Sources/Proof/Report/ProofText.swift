import ConformanceModel

/// The text of a proof for people, without figures: the result of each defect, and all complaints.
package struct ProofText {
  let report: ProofReport
  let quiet: Bool
  /// The file and line of each defect whose mutation changed nothing.
  let places: [DefectID: String]
  /// The protocol, for the commands that repeat a trial.
  let protocolName: String

  package init(report: ProofReport, quiet: Bool, places: [DefectID: String], protocolName: String) {
    self.report = report
    self.quiet = quiet
    self.places = places
    self.protocolName = protocolName
  }

  /// A block for each kind of complaint, with an empty line after each.
  package var text: String { blocks.map { $0.joined(separator: "\n") + "\n\n" }.joined() }

  /// All lines except empty ones.
  package var complaints: [String] { blocks.flatMap(\.self) }

  private var blocks: [[String]] {
    [
      baseline, defects, shapes, blame, misled, misguessed, unreproduced, idle, variants, mutants, apart, crosstalk,
      equality,
      unjudged,
    ]
    .filter { !$0.isEmpty }
  }

  private var baseline: [String] { report.baseline.map { "WRONG  \($0)" } }

  private var defects: [String] {
    report.trials.compactMap { trial in
      let defect = trial.defect
      let place = "\(defect.id)  breaks \(defect.breaks.list), to be noticed by \(defect.caseName ?? "any case")"
      switch trial.outcome {
      case .killed where defect.mustSurvive != nil: return "WRONG     \(place): legal behaviour was noticed"
      case .killed: return quiet ? nil : "killed    \(place)"
      case .survived where defect.mustSurvive != nil: return quiet ? nil : "left      \(place)"
      case .survived: return "SURVIVED  \(place)"
      case .killedElsewhere(let others):
        return "ELSEWHERE \(place): only \(others.map(\.rawValue).joined(separator: ", ")) turned red"
      case .crashed(let text): return "CRASHED   \(place): \(text)"
      case .inconclusive(let text): return "UNSURE    \(place): \(text)"
      case .unbent:
        let file = places[defect.id].map { "\($0): " } ?? ""
        return "UNCHANGED \(place): \(file)its mutation changed nothing: change what a case of \(defect.side) looks at"
      }
    }
  }

  private var shapes: [String] {
    report.staleShapes.map { "STALE     \($0)  shows something else than shapes.yaml says" }
  }

  /// The defects with the most violations that they should not cause.
  private var blame: [String] {
    report.worstBlamed(quiet ? 10 : .max).map { defect, blame in
      let wrong = blame.wrong.isEmpty ? "" : ", wrongly red: \(blame.wrong.list)"
      let silenced = blame.silenced.isEmpty ? "" : ", silenced \(blame.silenced.count) of \(blame.others)"
      return "BLAME     \(defect.id)  breaks \(defect.breaks.list)\(wrong)\(silenced)"
    }
  }

  /// The defects whose report begins with a card about a requirement that the defect does not violate.
  private var misled: [String] {
    report.misled.map { "CARD      \($0.id)  breaks \($0.breaks.list), and its report begins with \($1)" }
  }

  /// The cards that name only wrong defects as possible causes.
  private var misguessed: [String] {
    report.misguessed.map {
      "GUESS     \($0.defect.id): the card of \($0.card.requirement) in \($0.card.example) names "
        + $0.card.guesses.map(\.rawValue).joined(separator: ", ")
    }
  }

  /// The cards whose command does not show the violation again.
  private var unreproduced: [String] {
    report.unreproduced.map {
      "RERUN     \($0.defect.id): \($0.card.requirement) in \($0.card.example) is not violated when it runs alone"
    }
  }

  private var idle: [String] {
    report.vacuousPasses.map { "VACUOUS  \($0)" }
      + report.staleIdlePasses.map {
        "STALE    \($0.subject) is said to keep \($0.keeps.list), and passes none of it"
      }
  }

  private var variants: [String] { report.falseAlarms.flatMap(\.failed).map { "FALSE ALARM  \($0)" } }

  private var mutants: [String] {
    let survivors = report.unexplainedMutants.map { trial in
      "UNNOTICED  \(trial.kind)  none of its \(trial.count) mutants, such as that of \(trial.example)"
    }
    return survivors
      + report.staleExplanations.map { "STALE      \($0.pattern)  has a reason to survive, and no such mutant does" }
  }

  /// The pairs of defects that are never combined.
  private var apart: [String] {
    quiet ? [] : report.apart.map { "APART     \($0) and \($1): \($2)" }
  }

  /// The implementations with an undetected defect or a wrong violation, each with the command that repeats the trial.
  private var crosstalk: [String] {
    report.crosstalk.flatMap { trial -> [String] in
      let isWrong = !(trial.hidden.isEmpty && trial.wrong.isEmpty)
      guard isWrong || !quiet else { return [] }
      let found = trial.observable.count - trial.hidden.count
      let right = trial.violated.count - trial.wrong.count
      let head =
        "\(trial.subject.name): \(found) of \(trial.observable.count) noticed, "
        + "\(right) of \(trial.violated.count) accusations right: \(command(trial.subject))"
      return ["CROSSTALK \(head)"]
        + trial.hidden.map {
          "HIDDEN    \($0.id)  breaks \($0.breaks.list), and \(trial.subject.name) has no such finding"
        }
        + trial.wrong.map { "ACCUSED   \($0)  is violated, and nothing that is on in \(trial.subject.name) names it" }
    }
  }

  private func command(_ subject: CrosstalkSubject) -> String {
    let switches = subject.defects.map(\.id) + subject.restrictions
    return
      (["conform run --protocol \(protocolName) --role \(subject.role) --dialect \(subject.dialect) --gate strict"]
      + switches.map { "--defect \($0)" }).joined(separator: " ")
  }

  /// The verdicts that differ from the verdict of the whole run.
  private var equality: [String] {
    report.equality.flatMap { trial in
      trial.differences.map { difference in
        let way = difference.way == .alone ? "judged alone" : "run alone"
        let place = "\(trial.defect): \(difference.requirement) \(difference.instance)"
        return "UNEQUAL   \(place): \(difference.whole) in the whole run, \(difference.other) \(way)"
      }
    }
  }

  private var unjudged: [String] { report.unjudged.map { "UNSURE  \($0)" } }
}
