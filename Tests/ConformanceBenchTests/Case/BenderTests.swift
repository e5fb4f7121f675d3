import ConformanceModel
import ConformanceTranscript
import HTTPValues
import JSONKit
import Templates
import Testing

@testable import MockServices

/// Several mutations of one subject: each gets the result of those before it.
@Suite struct BenderTests {
  private static let two = try? Template(JSONField(["count": 2]))
  private static let counts = Defect.Bend.Change.set([
    .init(path: JSONPath([.key("result"), .key("count")]), value: 2)
  ])

  private static func outcome(after bends: [Defect.Bend]) -> CommandOutcome {
    Bender(bends).outcome(.result(["count": 1]), of: "queueSize")
  }

  @Test func theyAreMadeOneAfterTheOther() {
    let counting = Defect.Bend(.reply, of: "queueSize", Self.counts)
    let losing = Defect.Bend(.reply, filter: Self.two, .lose)
    #expect(Self.outcome(after: [counting]) == .result(["count": 2]))
    #expect(Self.outcome(after: [losing]) == .result(["count": 1]))
    #expect(Self.outcome(after: [counting, losing]) == .noReply)
    #expect(Self.outcome(after: [losing, counting]) == .result(["count": 2]))
  }

  @Test func aChangeToALostMessageHasNoEffect() {
    let counting = Defect.Bend(.reply, of: "queueSize", Self.counts)
    let losing = Defect.Bend(.reply, of: "queueSize", .lose)
    for bends in [[counting, losing], [losing, counting]] {
      let bender = Bender(bends)
      #expect(bender.outcome(.result(["count": 1]), of: "queueSize") == .noReply)
      #expect(bender.effective == [losing])
    }
  }

  @Test func whatIsDoubledTwiceComesFourTimes() {
    let bender = Bender([.init(.callback, .repeat), .init(.callback, .repeat)])
    #expect(bender.callbacks(1, of: "onLink") == [1, 1, 1, 1])
    #expect(bender.changes == 1)
  }

  private static func rewritten(_ headers: HTTPHeaders, _ bends: [Defect.Bend]) -> String? {
    let record = RequestRecord(
      connection: 1, line: "POST /a HTTP/1.1", headers: headers, body: Octets("{\"a\":1}".utf8))
    return Bender(bends).octets(of: record, "event").map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func bytesAreRewrittenWithARightLength() {
    let mark = Defect.Bend(.request, .rewrite(find: "\r\n\r\n\\{", with: "\r\n\r\n\u{FEFF}{"))
    let line = Defect.Bend(.request, of: "event", .rewrite(find: "\r\n", with: "\n"))
    #expect(
      Self.rewritten(["Host": "h", "Content-Length": "7"], [mark, line])
        == "POST /a HTTP/1.1\nHost: h\r\nContent-Length: 10\r\n\r\n\u{FEFF}{\"a\":1}")
    let twice = Defect.Bend(.request, .rewrite(find: #"("[a-z]":\d)"#, with: "$1,$1"))
    #expect(Self.rewritten(["Host": "h"], [twice]) == "POST /a HTTP/1.1\r\nHost: h\r\n\r\n{\"a\":1,\"a\":1}")
    #expect(Self.rewritten(["Host": "h"], [.init(.request, .rewrite(find: "absent", with: ""))]) == nil)
    #expect(Self.rewritten(["Host": "h"], [.init(.request, of: "install", .rewrite(find: "\r\n", with: "\n"))]) == nil)
  }

  /// A successful answer to a request with this body.
  private static func answer(to body: JSON, after bends: [Defect.Bend]) -> ResponseRecord? {
    let request = HTTPRequest(method: "POST", target: "/signals", headers: [:], body: body.compactBytes)
    let record = RequestRecord(
      connection: 0, line: "POST /signals HTTP/1.1", headers: request.headers, body: Octets(request.body),
      exchange: "signal")
    let whole = ResponseRecord(connection: 0, line: "HTTP/1.1 200 OK", headers: [:], body: Octets([]))
    return Bender(bends).answer(whole, to: record)
  }

  @Test func anAnswerIsBentWhereItWasAskedSo() {
    let asked = try? Template(JSONField(["body": ["word": ["$absent": true]]]))
    let refusing = Defect.Bend(
      .answer, of: "signal", asked: asked, .set([.init(path: JSONPath([.key("status")]), value: 400)]))
    #expect(Self.answer(to: ["seq": 1], after: [refusing])?.status == 400)
    #expect(Self.answer(to: ["word": "a"], after: [refusing])?.status == 200)
    // A mutation of other answers does not change the status, even if another mutation changes this answer.
    let other = Defect.Bend(.answer, of: "another", .set([.init(path: JSONPath([.key("status")]), value: 404)]))
    let telling = Defect.Bend(
      .answer, of: "signal", .set([.init(path: JSONPath([.key("headers"), .key("x-word")]), value: "b")]))
    #expect(Self.answer(to: ["seq": 1], after: [telling, other])?.status == 200)
    let losing = Defect.Bend(.answer, .lose)
    #expect(Self.answer(to: ["word": "a"], after: [refusing, losing]) == nil)
  }
}
