import ConformanceTranscript
import ConformanceVerdict
import HTTPValues
import JSONKit
import Testing

@testable import Records

@Suite struct CaseStoryTests {
  typealias Event = TranscriptEntry.Event

  private static func transcript(_ events: [Event]) -> Transcript {
    let entries = events.enumerated().map { TranscriptEntry(number: $0 + 1, at: .seconds(Double($0)), event: $1) }
    return Transcript(header: TranscriptFileTests.transcript.header, entries: entries)
  }

  private static func began(_ place: String, _ word: String, _ label: String? = nil) -> Event {
    .stepBegan(.init(place: place, word: word, label: label))
  }

  private static func request(_ connection: Int, _ body: String) -> Event {
    .request(
      upstream: "api",
      .init(connection: connection, line: "POST /event HTTP/1.1", headers: [:], body: Octets(body.utf8)))
  }

  private static func response(_ connection: Int) -> Event {
    .response(upstream: "api", .init(connection: connection, line: "HTTP/1.1 200 OK", headers: [:], body: Octets([])))
  }

  private static let story = transcript([
    .process(.started(launch: 1)),
    began("1", "initialize"), .command(.init(id: 1, name: "initialize", params: [:], label: nil)),
    began("2", "track", "sale"), .command(.init(id: 2, name: "track", params: ["amount": 9], label: "sale")),
    .reply(.init(id: 1, outcome: .result(["ok": true]))),
    request(7, #"{"eventData":{"amount":"9"}}"#), response(7), .reply(.init(id: 2, outcome: .result(.null))),
    began("3", "settle"), .clock(.seconds(30)), .end(.init(.completed)),
  ])

  private func path(_ keys: String...) -> JSONPath { keys.reduce(.root) { $0.appending(key: $1) } }

  @Test func theStepsAreToldAndWhatWasFoundIsShownWhereItHappened() {
    let finding = Finding(
      subject: "event request", path: path("body", "eventData", "amount"), expected: "9", observed: #""9""#,
      entries: [7])
    #expect(
      CaseStory().lines(of: Self.story, [finding]) == [
        #"  1  initialize → {"ok":true}"#,
        #"> 2  track 'sale' {"amount":9} → null"#,
        "     #7 → api POST /event",
        #"          $.body.eventData.amount: "9""#,
        "     #8 ← api 200 OK",
        "  3  settle (the clock moves to +30s)",
      ])
  }

  @Test func ofAPlaceThatIsNotThereTheNearestAboveIsShown() {
    let finding = Finding(
      subject: "event request", path: path("body", "eventData", "currency"), expected: "x", observed: "nothing",
      entries: [7])
    let lines = CaseStory().lines(of: Self.story, [finding])
    #expect(lines.contains(#"          $.body.eventData: {"amount":"9"}"#))
  }

  @Test func whatWasFoundStaysWhereThereIsNoRoom() {
    let finding = Finding(subject: "event request", expected: "none", observed: "1", entries: [7])
    #expect(
      CaseStory(limit: 4).lines(of: Self.story, [finding]) == [
        #"  1  initialize → {"ok":true}"#, #"> 2  track 'sale' {"amount":9} → null"#,
        #"     #7 → api POST /event {"eventData":{"amount":"9"}}"#, "  …",
      ])
  }

  @Test(arguments: 1...9) func itHasNoMoreLinesThanItMay(limit: Int) {
    for entry in 1...Self.story.entries.count {
      let finding = Finding(subject: "anything", expected: "none", observed: "1", entries: [entry])
      #expect(CaseStory(limit: limit).lines(of: Self.story, [finding]).count <= limit)
    }
  }

  @Test func aDeathIsToldWithWhatTheSubjectWrote() {
    let transcript = Self.transcript([
      Self.began("1", "flush"), .output(Octets("Traceback:\n  line 1\nTypeError\n".utf8)), .process(.exited(code: 1)),
      .end(.init(.adapterDied, "exit 1")),
    ])
    #expect(
      CaseStory().lines(of: transcript, []) == [
        "  1  flush", "     #2 stderr: Traceback:", "     #2 stderr:   line 1", "     #2 stderr: TypeError",
        "     #3 process exited with code 1", "     #4 end: adapter-died, exit 1",
      ])
  }

  @Test func whatComesAgainAndAgainIsToldOnce() {
    let repeated = (1...20).flatMap { number in
      [Self.began("1.1", "track"), Self.request(number, "{\"n\":\(number)}"), Self.response(number)]
    }
    let transcript = Self.transcript([Self.began("1", "repeat")] + repeated + [Self.began("2", "flush")])
    #expect(
      CaseStory().lines(of: transcript, []) == [
        "  1  repeat", "  1.1  track", #"     #3 → api POST /event {"n":1}"#, "     #4 ← api 200 OK",
        "  … 19 like these", "  2  flush",
      ])
  }

  /// Steps that change the subject's world, and those whose labels a finding prints.
  @Test(arguments: ["restart", "fault refuse", "heal event", "surroundings"])
  func aStepThatChangesTheWorldIsNeverLeftOut(word: String) {
    let fill = (1...9).map { Self.began("\($0)", String(repeating: "x", count: $0)) }
    let events = [Self.began("0", word), Self.began("0", "track", "first")] + fill + [Self.request(1, "{}")]
    let finding = Finding(
      subject: "event requests after 'first'", expected: "none", observed: "1", entries: [events.count])
    let lines = CaseStory(limit: 5).lines(of: Self.transcript(events), [finding])
    #expect(lines.contains("  0  \(word)"))
    #expect(lines.contains("  0  track 'first'"))
  }

  /// A finding names the value of a call: the name of a callback, or the content of a request.
  @Test(arguments: ["calls of callback 'one'", #"event requests whose body.name is "one""#])
  func aCallWithAValueThatAFindingNamesIsNeverLeftOut(subject: String) {
    let fill = (1...9).map { Self.began("\($0)", String(repeating: "x", count: $0)) }
    let call = Event.command(.init(id: 1, name: "on", params: ["name": "one"], label: nil))
    let events = [Self.began("0", "on"), call] + fill + [Self.request(1, "{}")]
    let finding = Finding(subject: subject, expected: "1", observed: "0", entries: [events.count])
    let lines = CaseStory(limit: 4).lines(of: Self.transcript(events), [finding])
    #expect(lines.contains(#"  0  on {"name":"one"}"#))
  }

  /// The messages of a step that a finding names matter more than those of other steps, and a log matters least.
  @Test func theMessagesOfANamedStepAreShownBeforeALog() {
    let events = [
      Self.began("1", "track", "sale"), .output(Octets("a\nb\n".utf8)), Self.request(7, "{}"), Self.response(7),
      Self.began("2", "track"), Self.request(8, "{}"), Self.response(8), .end(.init(.completed)),
    ]
    let finding = Finding(subject: "requests after 'sale'", expected: "none", observed: "1")
    #expect(
      CaseStory(limit: 5).lines(of: Self.transcript(events), [finding]) == [
        "  1  track 'sale'", "  …", "     #3 → api POST /event {}", "     #4 ← api 200 OK", "  …",
      ])
  }

  @Test func countedElementsAreShownByTheMembersThatTheFindingNames() {
    let body = #"{"events":[{"n":1,"name":"a","id":"1"},{"n":2,"name":"b","id":"2"}]}"#
    let finding = Finding(
      subject: #"elements of $.body.events in event requests whose name is "b" and id is "9""#, expected: "at least 1",
      observed: #"0; 1 came near: $.id expected "9", observed "2""#, entries: [2])
    #expect(
      CaseStory().lines(of: Self.transcript([Self.began("1", "track"), Self.request(1, body)]), [finding]) == [
        "> 1  track", "     #2 → api POST /event", #"          $.body.events[1]: {"name":"b","id":"2"}"#,
      ])
  }

  @Test func theMembersOfAFilterAreShown() {
    let finding = Finding(
      subject: #"event requests whose body.name is "kept" and answer is a status from 200 to 299"#, expected: "1",
      observed: "0", entries: [2])
    let transcript = Self.transcript([Self.began("1", "track"), Self.request(1, #"{"id":7,"name":"usual"}"#)])
    #expect(
      CaseStory().lines(of: transcript, [finding]) == [
        "> 1  track", "     #2 → api POST /event", #"          $.body.name: "usual""#,
      ])
  }

  /// A finding about an answer has no place in the request. The request shows what is new in it.
  @Test func theRequestOfACitedAnswerShowsWhatDiffersFromTheRequestBefore() {
    let transcript = Self.transcript([
      Self.began("1", "send"), Self.request(1, #"{"a":1,"b":1,"c":1,"d":1}"#), Self.response(1),
      Self.began("2", "send"), Self.request(2, #"{"a":1,"b":2,"c":1,"d":1}"#), Self.response(2),
    ])
    let finding = Finding(subject: "send", path: path("status"), expected: "400", observed: "200", entries: [5, 6])
    let lines = CaseStory().lines(of: transcript, [finding])
    #expect(
      lines.suffix(5) == [
        "> 2  send", "     #5 → api POST /event", "          $.body.b: 2", "     #6 ← api 200 OK",
        "          $.status: 200",
      ])
  }

  /// Key steps are alike once the lines between them are left out.
  @Test func keyStepsThatRepeatAreFolded() {
    let rounds = (1...6).flatMap { round in
      [Self.began("1#\(round).1", "surroundings"), Self.began("1#\(round).2", "restart")]
        + (1...5).map { Self.began("1#\(round).3", String(repeating: "x", count: $0 * round)) }
    }
    let transcript = Self.transcript(rounds + [Self.began("2", "track"), Self.request(1, "{}")])
    let finding = Finding(subject: "requests", expected: "none", observed: "1", entries: [transcript.entries.count])
    let lines = CaseStory(limit: 4).lines(of: transcript, [finding])
    #expect(lines.prefix(4) == ["  1#1.1  surroundings", "  1#1.2  restart", "  …", "  … 5 like these"])
  }

  @Test func theAddressThatASubjectWasGivenIsToldWhereAddressesDiffer() {
    let fill = (1...9).map { Self.began("\($0)", String(repeating: "x", count: $0)) }
    let events = [Self.began("0", "initialize")] + fill + [Self.request(1, "{}")]
    func lines(_ observed: String) -> [String] {
      let finding = Finding(subject: "host", expected: "x", observed: observed, entries: [events.count])
      return CaseStory(limit: 4).lines(of: Self.transcript(events), [finding])
    }
    #expect(lines("http://127.0.0.1:1").contains("  0  initialize"))
    #expect(!lines("x").contains("  0  initialize"))
  }

  @Test func nothingIsWiderThanAllowed() {
    let lines = CaseStory(width: 20).lines(of: Self.story, [])
    #expect(lines.allSatisfy { $0.count <= 20 })
    #expect(lines.contains { $0.hasSuffix("…") })
  }

  @Test func aConversationLeavesNothingOut() {
    let lines = Conversation().lines(of: Self.story)
    #expect(
      lines.dropFirst().prefix(4) == [
        "#1   +0ms     process started (launch 1)", "", "1  initialize", "#3   +2s      call initialize {}",
      ])
    #expect(lines.contains(#"                {"eventData":{"amount":"9"}}"#))
    let near = Conversation(around: (entry: 8, distance: 1)).lines(of: Self.story)
    #expect(near.dropFirst().map { $0.prefix(2) } == ["#7", "  ", "#8", "#9"])
  }
}
