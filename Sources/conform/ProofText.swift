import ConformanceModel
import ConformanceRunner

/// A proof for people: what is wrong first, then the figures.
struct ProofText {
  let report: ProofReport
  let quiet: Bool

  var text: String {
    let blocks = [baseline, defects, blame, misled, idle, variants, mutants, unjudged, figures].filter { !$0.isEmpty }
    return blocks.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
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
      case .unbent: return "UNBENT    \(place): its bend changed nothing, so nothing is proven"
      }
    }
  }

  /// The defects that most was laid to that is not theirs.
  private var blame: [String] {
    report.worstBlamed(quiet ? 10 : .max).map { defect, blame in
      let wrong = blame.wrong.isEmpty ? "" : ", wrongly red: \(blame.wrong.list)"
      let silenced = blame.silenced.isEmpty ? "" : ", silenced \(blame.silenced.count) of \(blame.others)"
      return "BLAME     \(defect.id)  breaks \(defect.breaks.list)\(wrong)\(silenced)"
    }
  }

  /// The defects whose reports begin elsewhere.
  private var misled: [String] {
    report.misled.map { "CARD      \($0.id)  breaks \($0.breaks.list), and its report begins with \($1)" }
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
      + report.staleExplanations.map { "STALE      \($0.pattern)  is in mutants.yaml, and no such mutant survives" }
  }

  private var unjudged: [String] { report.unjudged.map { "UNSURE  \($0)" } }

  /// The figures of the parts that were made.
  private var figures: [String] {
    var lines: [String] = []
    if !report.trials.isEmpty {
      lines += [
        "K* (MUST)  \(report.requiredKillRate) defects of required rules noticed by the claim that names them",
        "K*         \(report.namedKillRate) of all defects",
        "R          \(report.requirementCoverage) required rules seen to fail",
      ]
    }
    if let rate = report.blameRate, let silence = report.silence {
      lines += [
        "B          \(rate) of the rules that single defects turned red are those that they break",
        "silenced   \(percent(silence.median)) of the other rules by a single defect in the median, "
          + "\(percent(silence.worst)) at worst",
      ]
    }
    if let rate = report.firstCardRate {
      let tenths = Int((report.furtherCards * 10).rounded())
      lines.append(
        "C          \(rate) of the reports of single defects begin with a rule that the defect breaks; "
          + "\(tenths / 10).\(tenths % 10) further cards in the mean")
    }
    if !report.vacuity.isEmpty {
      let names = report.vacuity.map(\.name).joined(separator: ", ")
      lines.append(
        "V          \(report.vacuousPasses.count) required verdicts passed by \(report.vacuity.count) idle subjects (\(names))"
          + ", \(report.earnedIdlePasses) besides of rules that they keep")
    }
    if !report.falseAlarms.isEmpty {
      lines.append("F          \(report.falseAlarmCount) verdicts failed by \(report.falseAlarms.count) legal variants")
    }
    if !report.mutants.isEmpty {
      let legal = report.mutants.count { $0.explanation != nil }
      lines.append("M          \(report.mutantKillRate) kinds of bent transcripts noticed, \(legal) legal for a reason")
    }
    if report.isStopped {
      lines.append("stopped    no defect was tried: a subject that is not honest shows nothing when it is bent")
    }
    return lines + [
      "unjudged   \(report.unjudged.count) verdicts on the references and their variants",
      report.holds ? "the proof holds" : "the proof does not hold",
    ]
  }

  /// `2.5 %`.
  private func percent(_ share: Double) -> String {
    let tenths = Int((share * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
