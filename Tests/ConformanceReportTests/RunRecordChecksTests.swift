import ConformanceVerdict
import Testing

@testable import Records

/// A record that disagrees with itself is refused at the first place that cannot be.
@Suite struct RunRecordChecksTests {
  struct Tampering: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The lines, from 1, that hold the old text; all of them are changed.
    var lines: [Int]
    var old: String
    var new: String
    /// Line, field, expected and found.
    var says: String

    init(_ name: String, _ lines: Int..., old: String, new: String, says: String) {
      testDescription = name
      self.lines = lines
      (self.old, self.new, self.says) = (old, new, says)
    }
  }

  /// Lines of the sample: 1 run, 2 subject, 3 to 7 cases, 8 to 17 verdicts, 18 end.
  private static let changes = [
    Tampering(
      "fewer planned", 1, old: #""planned":5"#, new: #""planned":4"#,
      says:
        "7: $.instance: expected no more than the 4 cases that 'planned' of the first line says, found one more: queue.crash@spec"
    ),
    Tampering(
      "more planned", 1, old: #""planned":5"#, new: #""planned":6"#,
      says: #"18: $.reasons: expected the reasons from the lines: ["only 5 of 6 cases have a result"], found []"#),
    Tampering(
      "another gate", 1, old: #""gate":"stated""#, new: #""gate":"strict""#,
      says:
        "14: $.disposition: expected 'fail', the disposition for violates, SHOULD, stated, gate strict and not in the baseline, found 'advisory'"
    ),
    Tampering(
      "no baseline", 1, old: #""baseline":{"file":"baseline.yaml","digest":"b5e"},"#, new: "",
      says: "9: $.baseline: expected nothing, since the run had no baseline, found a reason"),
    Tampering(
      "no subject's role", 1, old: #""roles":["sdk"]"#, new: #""roles":["server"]"#,
      says: "3: $.role: expected one of 'roles' of the first line: server, found 'sdk'"),
    Tampering(
      "other dialects", 1, old: #""dialects":[]"#, new: #""dialects":["next"]"#,
      says: "3: $.instance.dialect: expected one of 'dialects' of the first line: next, found 'spec'"),
    Tampering(
      "a longer wait", 3, old: #""ownDuration":1.25"#, new: #""ownDuration":1000"#,
      says: "3: $.ownDuration: expected at most the 'duration', 241.4, found 1000.0"),
    Tampering(
      "a case twice", 7, old: #""case":"queue.crash""#, new: #""case":"post.first""#,
      says: "7: $.instance: expected a run of a case that has no line yet, found post.first@spec again"),
    Tampering(
      "a verdict of no case", 8, old: #""case":"post.first""#, new: #""case":"post.second""#,
      says: "8: $.instance: expected a run of a case that has a line before it, found post.second@spec"),
    Tampering(
      "a verdict twice", 9, old: "PA-POST-002", new: "PA-POST-001",
      says: "9: $.requirement: expected one verdict on a requirement in a run of a case, found PA-POST-001 again"),
    Tampering(
      "fewer verdicts of a case", 3, old: #""verdicts":3"#, new: #""verdicts":2"#,
      says:
        "10: $.requirement: expected no more than the 2 verdicts that the line of post.first@spec says, found one more: PA-POST-003"
    ),
    Tampering(
      "more verdicts of a case", 3, old: #""verdicts":3"#, new: #""verdicts":4"#,
      says: "18: $.counts: expected the 4 verdicts of post.first@spec before it, as the line of the case says, found 3"),
    Tampering(
      "a failure made green", 11, old: #""disposition":"fail""#, new: #""disposition":"pass""#,
      says:
        "11: $.disposition: expected 'fail', the disposition for violates, MUST, stated, gate stated and not in the baseline, found 'pass'"
    ),
    Tampering(
      "a failure excused", 11, old: #""disposition":"fail""#, new: #""disposition":"known""#,
      says:
        "11: $.disposition: expected 'fail', the disposition for violates, MUST, stated, gate stated and not in the baseline, found 'known'"
    ),
    Tampering(
      "a pass made red", 8, old: #""disposition":"pass""#, new: #""disposition":"fail""#,
      says:
        "8: $.disposition: expected 'pass', the disposition for conforms, MUST, stated, gate stated and not in the baseline, found 'fail'"
    ),
    Tampering(
      "an error made a skip", 17, old: #""disposition":"error""#, new: #""disposition":"skipped""#,
      says:
        "17: $.disposition: expected 'error', the disposition for unjudged, MUST, stated, gate stated and not in the baseline, found 'skipped'"
    ),
    Tampering(
      "a violation made a conformance", 11, old: #""outcome":"violates""#, new: #""outcome":"conforms""#,
      says:
        "11: $.disposition: expected 'pass', the disposition for conforms, MUST, stated, gate stated and not in the baseline, found 'fail'"
    ),
    Tampering(
      "a level", 11, old: #""level":"MUST""#, new: #""level":"SHOULD""#,
      says:
        "11: $.disposition: expected 'advisory', the disposition for violates, SHOULD, stated, gate stated and not in the baseline, found 'fail'"
    ),
    Tampering(
      "a basis", 11, old: #""basis":"stated""#, new: #""basis":"position""#,
      says:
        "11: $.disposition: expected 'advisory', the disposition for violates, MUST, position, gate stated and not in the baseline, found 'fail'"
    ),
    Tampering(
      "a rule in one place only", 12, old: "holds 100", new: "holds 101",
      says: "12: $.rule: expected PA-QUEUE-001 as an earlier line has it, found another"),
    Tampering(
      "another role", 8, old: #""role":"sdk""#, new: #""role":"server""#,
      says: "8: $.rule.role: expected 'sdk', that of the case, found 'server'"),
    Tampering(
      "another area", 8, old: #""area":"post""#, new: #""area":"queue""#,
      says: "8: $.rule.area: expected 'post', that of the requirement, found 'queue'"),
    Tampering(
      "another clock", 8, old: #""clock":"virtual""#, new: #""clock":"real""#,
      says: "8: $.clock: expected 'virtual', that of the case, found 'real'"),
    Tampering(
      "another rerun", 8, old: "--requirement PA-POST-001", new: "--requirement PA-POST-009",
      says:
        "8: $.rerun: expected 'conform run --sdk './my adapter' --case post.first --dialect spec --requirement PA-POST-001', what 'rerun' of the first line makes, found 'conform run --sdk './my adapter' --case post.first --dialect spec --requirement PA-POST-009'"
    ),
    Tampering(
      "a count", 18, old: #""fail":3"#, new: #""fail":2"#,
      says: "18: $.counts.fail: expected 3, as many as there are lines of it, found 2"),
    Tampering(
      "a count of none", 18, old: #""fail":3,"#, new: "",
      says: "18: $.counts.fail: expected 3, as many as there are lines of it, found 0"),
    Tampering(
      "the word", 18, old: #""conclusion":"not-conformant","reasons":[],"notes":[],"exitCode":1"#,
      new: #""conclusion":"conformant","reasons":[],"notes":[],"exitCode":0"#,
      says: "18: $.conclusion: expected 'not-conformant', the conclusion from the lines, found 'conformant'"),
    Tampering(
      "the exit code", 18, old: #""exitCode":1"#, new: #""exitCode":0"#,
      says: "18: $.exitCode: expected 1, that of 'not-conformant', found 0"),
    Tampering(
      "a reason", 18, old: #""reasons":[]"#, new: #""reasons":["a"]"#,
      says: #"18: $.reasons: expected the reasons from the lines: [], found ["a"]"#),
    Tampering(
      "an interruption", 18, old: #""interrupted":false"#, new: #""interrupted":true"#,
      says:
        #"18: $.reasons: expected the reasons from the lines: ["the run was interrupted after 5 of 5 cases"], found []"#
    ),
  ]

  @Test func aDoubtBehindTheResultIsRefused() throws {
    var lines = Sample.record.lines
    let doubt = RunRecord.Doubt(instance: Sample.record.cases[0].instance, reason: "a busy machine")
    lines.insert(.doubt(doubt), at: 2)
    #expect(try problem(lines.map(\.representation.compactText)) == nil)
    lines.insert(.doubt(doubt), at: 4)
    #expect(
      try problem(lines.map(\.representation.compactText))
        == "5: $.instance: expected a run of a case that has no result yet, found post.first@spec")
  }

  @Test(arguments: changes) func whatDisagreesIsRefused(_ tampering: Tampering) throws {
    var lines = Sample.record.lines.map(\.representation.compactText)
    for line in tampering.lines {
      try #require(lines[line - 1].contains(tampering.old), "\(lines[line - 1])")
      lines[line - 1] = lines[line - 1].replacing(tampering.old, with: tampering.new)
    }
    #expect(try problem(lines) == tampering.says)
  }

  /// A line that is left out, counted from 1, and what is said then.
  @Test(arguments: [
    (2, "2: $: expected a 'subject' line before the first case: whom the verdicts are about, found none"),
    (7, "15: $.instance: expected a run of a case that has a line before it, found queue.crash@spec"),
    (
      11,
      "17: $.counts: expected the 3 verdicts of queue.full[101]@spec before it, as the line of the case says, found 2"
    ),
  ])
  func aLineThatIsMissingIsMissed(line: Int, says: String) throws {
    var lines = Sample.record.lines.map(\.representation.compactText)
    lines.remove(at: line - 1)
    #expect(try problem(lines) == says)
  }

  @Test func aViolationHasAFinding() throws {
    var lines = Sample.record.lines.map(\.representation.compactText)
    lines[10] = lines[10].replacing(/"findings":.*?\],"clock"/, with: "\"findings\":[],\"clock\"")
    #expect(
      try problem(lines) == "11: $.findings: expected at least one finding of what is violated, found none")
  }

  @Test func whatNobodyTouchedIsTaken() throws {
    #expect(try problem(Sample.record.lines.map(\.representation.compactText)) == nil)
  }

  private func problem(_ lines: [String]) throws -> String? {
    let folder = try TemporaryFolder()
    // A forger who seals what was changed.
    let sealed = RecordSeal.sealedAgain(Array(lines.joined(separator: "\n").utf8))
    let path = try folder.file("run.jsonl", holding: String(decoding: sealed, as: UTF8.self))
    do {
      _ = try RunRecord(readingFrom: path)
      return nil
    } catch let problem as LineProblem {
      return problem.description.replacing(path + ":", with: "")
    }
  }
}
