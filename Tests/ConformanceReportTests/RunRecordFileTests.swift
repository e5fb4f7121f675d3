import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import Files
import Foundation
import JSONKit
import Testing

@testable import ConformanceReport
@testable import Records

@Suite struct RunRecordFileTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("run.jsonl")
  }

  private func writeSample() throws -> [String] {
    let writer = try RunRecordWriter(path, header: Sample.header)
    for line in Sample.record.lines.dropFirst().dropLast() { try writer.write(line) }
    try writer.finish(try #require(Sample.record.end))
    return try folder.text(path).split(separator: "\n").map(String.init)
  }

  @Test func aRecordSurvivesARoundTrip() throws {
    let lines = try writeSample()
    #expect(lines.count == Sample.record.lines.count)
    #expect(try RunRecord(readingFrom: path) == Sample.record)
    #expect(Sample.record.conclusion == Conclusion(.notConformant))
    #expect(Sample.record.account.conclusion(.end) == Sample.record.conclusion)
  }

  @Test func theFormIsTheOneThatIsDocumented() throws {
    let sealed = try writeSample()
    #expect(sealed.allSatisfy { $0.wholeMatch(of: /.*,"seal":"[0-9a-f]{64}"}/) != nil })
    let lines = sealed.map { $0.replacing(/,"seal":"[0-9a-f]{64}"}$/, with: "}") }
    #expect(
      lines[0] == """
        {"record":"run","version":4,"kit":"conform 0.1.0","protocol":"parcel","specRevision":"2026-03-12",\
        "packDigest":"5f1d","startedAt":"2026-11-21T10:00:00.250Z","gate":"stated","seed":"7",\
        "selection":["--feature","2"],"roles":["sdk"],"dialects":[],"withoutPositions":[],\
        "baseline":{"file":"baseline.yaml","digest":"b5e"},"jobs":4,"planned":5,"rerun":"conform run --sdk './my adapter'"}
        """)
    #expect(
      lines[3] == """
        {"record":"case","instance":{"case":"queue.full","row":"101","dialect":"spec"},"title":"A title","role":"sdk",\
        "file":"spec/parcel/cases/queue.yaml","line":12,"duration":12,"ownDuration":1.25,"clock":"virtual",\
        "ending":{"kind":"completed","text":""},"caseDigest":"9c04","verdicts":3,\
        "evidence":"evidence/queue.full.jsonl","evidenceDigest":"d16"}
        """)
    #expect(
      lines.last == """
        {"record":"end","counts":{"pass":1,"fail":3,"advisory":1,"known":1,"stale":1,"error":2,"skipped":1},\
        "conclusion":"not-conformant","reasons":[],"notes":[],"exitCode":1,"interrupted":false,"duration":278}
        """)
  }

  @Test func everyLineFitsThePublishedSchema() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let bytes = try Data(contentsOf: root.appending(path: "spec/schema/run-record.schema.json"))
    let schema = try JSONSchema(JSON(parsing: Array(bytes)))
    var seal = RecordSeal()
    var run = Sample.record.cases[0]
    let endings = TranscriptEntry.Ending.Kind.allCases.map { kind in
      run.ending = .init(kind)
      return RunRecord.Line.testCase(run)
    }
    for line in Sample.record.lines + endings {
      let sealed = try JSON(parsing: seal.seal(line.representation.compactBytes))
      #expect(schema.validate(sealed).map(\.description) == [])
      #expect(line.compactBytes == line.representation.compactBytes)
    }
  }

  @Test func theRecordOfTheWriterIsTheOneInTheFileAndMakesTheSameJUnit() throws {
    let writer = try RunRecordWriter(path, header: Sample.header)
    for line in Sample.record.lines.dropFirst().dropLast() { try writer.write(line) }
    func expectSame() throws {
      let record = try RunRecord(readingFrom: path)
      #expect(writer.record == record)
      try JUnitReport(writer.record).write(to: folder.file("written.xml"))
      try JUnitReport(record).write(to: folder.file("read.xml"))
      #expect(try folder.text(folder.file("written.xml")) == folder.text(folder.file("read.xml")))
    }
    try expectSame()
    struct Unwritable: Error {}
    var end = try #require(Sample.record.end)
    _ = try writer.finish(end) {
      #expect(writer.record.end == end)
      throw Unwritable()
    } orElse: { _ in
      end.notes = ["the view could not be written"]
      return end
    }
    #expect(writer.record.end?.notes == end.notes)
    try expectSame()
  }

  @Test func eachLineIsInTheFileBeforeTheCallReturns() throws {
    let writer = try RunRecordWriter(path, header: Sample.header)
    try writer.write(.subject(Sample.participant))
    let record = try RunRecord(readingFrom: path)
    #expect(record.subjects == [Sample.participant])
    #expect(
      record.conclusion
        == Conclusion(
          .incomplete, ["the run was killed after 0 of 5 cases", "nothing passed: no verdict speaks for the subject"]))
  }

  /// A case that is tried again is in the file at once, so that the record of a killed run contains the doubt.
  @Test func aDoubtStandsInTheFileUntilItsCaseHasAResult() throws {
    let run = Sample.record.cases[0]
    let doubt = RunRecord.Doubt(instance: run.instance, reason: "a busy machine")
    let writer = try RunRecordWriter(path, header: Sample.header)
    try writer.write(.subject(Sample.participant))
    try writer.write(.doubt(doubt))
    #expect(try RunRecord(readingFrom: path).doubts == [run.instance: doubt])
    try writer.write(.testCase(run))
    #expect(try RunRecord(readingFrom: path).doubts == [:])
  }

  @Test func linesFromManyTasksStayWhole() async throws {
    var header = Sample.header
    header.planned = 50
    let writer = try RunRecordWriter(path, header: header)
    try writer.write(.subject(Sample.participant))
    for number in 0..<50 { try writer.write(.testCase(Self.run(number))) }
    try await withThrowingTaskGroup { group in
      for number in 0..<50 {
        group.addTask { for ruling in Self.rulings(number) { try writer.write(.verdict(ruling)) } }
      }
      try await group.waitForAll()
    }
    #expect(try RunRecord(readingFrom: path).rulings.count == 500)
  }

  private static func run(_ number: Int) -> RunRecord.CaseRun {
    var run = Sample.run(Sample.full, 12, .init(.completed))
    run.instance.row = "\(number)"
    run.verdicts = 10
    return run
  }

  private static func rulings(_ number: Int) -> [RunRecord.Ruling] {
    let instance = run(number).instance
    return (0..<10).map { Sample.ruling(RequirementID("PA-QUEUE-\(100 + $0)"), instance, .conforms, .pass) }
  }

  @Test func aRecordCutAnywhereBehindItsHeaderIsReadAsFarAsItGoes() throws {
    let lines = try writeSample()
    let whole = Array(lines.joined(separator: "\n").utf8)
    var counts: Set<Int> = []
    for length in stride(from: lines[0].utf8.count + 1, to: whole.count, by: 37) {
      let cut = try folder.file("cut.jsonl", holding: String(decoding: whole[..<length], as: UTF8.self))
      let record = try RunRecord(readingFrom: cut)
      #expect(record.conclusion.word == .incomplete)
      #expect(record.conclusion.exitCode == .unjudged)
      counts.insert(record.rulings.count)
    }
    #expect(counts.count > 8)
  }

  @Test(arguments: [
    (
      1, #""role":"sdk","#, "", "run.jsonl:2: $.role: expected a value, found nothing"
    ),
    (3, #""duration":12"#, #""duration":-1"#, "run.jsonl:4: $.duration: expected milliseconds, at least 0, found -1"),
    (3, #""line":12,"#, "", "run.jsonl:4: $.line: expected a value, found nothing"),
    (3, #"{"record""#, #"["record""#, "run.jsonl:4: $: expected ',' or ']', found ':' at byte 10"),
    (
      0, #""version":4"#, #""version":2"#,
      "run.jsonl:1: $.version: expected version 4 of the run record format, the one this kit reads (make it anew with this kit, or use the kit that wrote it), found 2"
    ),
    (
      0, #""version":4"#, #""version":5"#,
      "run.jsonl:1: $.version: expected version 4 of the run record format, the one this kit reads (make it anew with this kit, or use the kit that wrote it), found 5"
    ),
    (
      0, "2026-11-21T", "yesterday ",
      #"run.jsonl:1: $.startedAt: expected an ISO 8601 time with a zone, found "yesterday 10:00:00.250Z""#
    ),
    (
      17, #""pass":1"#, #""passed":1"#,
      "run.jsonl:18: $.counts.passed: expected a disposition: pass, fail, advisory, known, stale, error, skipped, found 1"
    ),
    (
      17, #""pass":1"#, #""pass":-1"#,
      "run.jsonl:18: $.counts.pass: expected a number of verdicts, at least 0, found -1"
    ),
    (10, ##""story":["> 3"##, ##""story":[4,"> 3"##, "run.jsonl:11: $.story[0]: expected a string, found 4"),
    (17, #""exitCode":1"#, #""exitCode":9"#, "run.jsonl:18: $.exitCode: expected 1, that of 'not-conformant', found 9"),
  ])
  func damageIsNamedByFileLineAndField(line: Int, old: String, new: String, problem: String) throws {
    var lines = try writeSample()
    try #require(lines[line].contains(old))
    lines[line] = lines[line].replacing(old, with: new)
    let damaged = try folder.file("run.jsonl", holding: lines.joined(separator: "\n") + "\n")
    let error = try #require(throws: LineProblem.self) { try RunRecord(readingFrom: damaged) }
    #expect(error.description.hasSuffix("/" + problem), "\(error)")
  }

  @Test func orderIsHeld() throws {
    let lines = try writeSample()
    func problem(_ lines: [String]) throws -> String? {
      let file = try folder.file("run.jsonl", holding: lines.joined(separator: "\n") + "\n")
      let error = #expect(throws: LineProblem.self) { try RunRecord(readingFrom: file) }
      return error.map { "\($0.line): expected \($0.expected), found \($0.found)" }
    }
    #expect(
      try problem(Array(lines.dropFirst())) == "1: expected the 'run' line that begins a run record, found another line"
    )
    #expect(try problem([]) == "1: expected a value, found end of text at byte 1")
    #expect(try problem(lines + [lines[1]]) == "19: expected nothing behind the 'end' line, found another line")
    let cut = try folder.file("run.jsonl", holding: #"{"record":"ru"#)
    #expect((#expect(throws: LineProblem.self) { try RunRecord(readingFrom: cut) })?.found == "part of a line")
    #expect(try problem([lines[0], lines[0]]) == "2: expected one 'run' line, the first, found another")
  }

  @Test func unusablePathsAreRefused() throws {
    let missing = folder.file("no/run.jsonl")
    let unwritable = #expect(throws: FileProblem.self) { try RunRecordWriter(missing, header: Sample.header) }
    #expect(
      unwritable?.description
        == "cannot write '\(missing)': No such file or directory; its folder must exist, and the file must be yours to write"
    )
    let unreadable = #expect(throws: FileProblem.self) { try RunRecord(readingFrom: missing) }
    #expect(
      unreadable?.description == "cannot read '\(missing)': No such file or directory; check the name and the rights")
    let aFolder = #expect(throws: FileProblem.self) { try RunRecord(readingFrom: folder.path) }
    #expect(aFolder?.reason == "Is a directory")
  }

  /// A limit of the whole process, so it is one of its own.
  @Test func whatCouldNotBeWrittenIsNoLinkOfTheChain() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = folder.file("run.jsonl")
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let writer = try RunRecordWriter(path, header: Sample.header)
      let lines = Sample.record.lines.dropFirst().dropLast()
      for line in lines {
        let size = try Data(contentsOf: URL(filePath: path)).count
        var full = rlimit(rlim_cur: rlim_t(size + 10), rlim_max: limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &full)
        #expect(throws: FileProblem.self) { try writer.write(line) }
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        try writer.write(line)
      }
      try writer.finish(try #require(Sample.record.end))
      #expect(try RunRecord(readingFrom: path) == Sample.record)
    }
  }

  @Test func aFullDiskIsAnError() throws {
    let error = #expect(throws: FileProblem.self) { try RunRecordWriter("/dev/full", header: Sample.header) }
    #expect(error?.reason == "No space left on device")
  }
}
