import Concurrency
import ConformanceModel
import ConformanceProvisioning
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit
import Synchronization
import Templates
import Testing

@testable import Recording
@testable import Subjects

/// Hooks that are HTTP calls, and servers that answer them wrongly.
@Suite struct HTTPHookTests {
  /// Starts a server and makes one call to it. Returns the outcome and the requests that the server received.
  private func perform(
    _ call: Provisioning.Call, _ params: JSON.Object = [:], headers: HTTPHeaders = [:], values: Bindings = [:],
    limit: Duration = .seconds(30), reply: @escaping @Sendable (RequestRecord) -> WireReply
  ) async throws -> (outcome: CommandOutcome, seen: [RequestRecord]) {
    let seen = LockedValue<[RequestRecord]>([])
    let server = try await MockServer.start(
      name: "server", clock: ScaledClock(),
      responder: { record in
        seen.change { $0.append(record) }
        return reply(record)
      }, journal: { _ in })
    let url = "http://127.0.0.1:\(server.port)/base/"
    var provisioning = Provisioning(headers: headers, values: values)
    provisioning.hooks["make"] = .init(.http(call), timeLimit: .milliseconds(Double(limit.components.seconds) * 1000))
    let subject = try ServerUnderTest(
      urls: ["main": url], provisioning: provisioning, folder: "/", client: WireClient())
    let outcome = await subject.hooks["make"]?.perform(params) ?? .noReply
    await server.stop()
    return (outcome, seen.value)
  }

  private static func ok(_ body: JSON) -> @Sendable (RequestRecord) -> WireReply {
    { _ in WireReply(response: .json(200, body)) }
  }

  @Test func theCallIsMadeOfItsTemplates() async throws {
    let call = Provisioning.Call(
      method: "PUT", target: .path(template("/links/${code}?of=${options.tag}")),
      headers: ["X-Own": template("Bearer ${key}")],
      body: template(["code": "${code}", "tag?": "${options.tag}", "none?": "${options.none}", "key": "${key}"]),
      result: template(["id": "${answer.body.id}", "by": "${answer.headers.content-type}", "code": "${code}"]))
    let (outcome, seen) = try await perform(
      call, ["code": "a/b c", "options": ["tag": "x&y"]], headers: ["X-All": "1"], values: ["key": "k1"],
      reply: Self.ok(["id": 7]))
    #expect(
      outcome == .result(["id": 7, "by": "application/json; charset=utf-8", "code": "a/b c"]), "\(outcome.view)")
    let request = try #require(seen.first)
    #expect(request.line == "PUT /base/links/a%2Fb%20c?of=x%26y HTTP/1.1")
    #expect(request.headers["X-All"] == "1")
    #expect(request.headers["X-Own"] == "Bearer k1")
    #expect(request.headers["Content-Type"] == "application/json")
    #expect(request.body.json == ["code": "a/b c", "tag": "x&y", "key": "k1"])
  }

  @Test func aMapGivesTheServersOwnWords() async throws {
    let call = Provisioning.Call(
      method: "PUT", target: .path(template("/links/${flag}")), body: template(["active": "${flag}"]),
      maps: [
        "flag": .init(of: template("${state}"), to: ["on": template(true), "off": template(false)]),
        "state2": .init(of: template("${answer.body.kind}"), to: ["1": template("one"), "2": template("two")]),
      ], result: template(["kind": "${state2}"]))
    let (outcome, seen) = try await perform(call, ["state": "off"], reply: Self.ok(["kind": 2]))
    #expect(outcome == .result(["kind": "two"]), "\(outcome.view)")
    #expect(seen.first?.body.json == ["active": false])
    #expect(seen.first?.line == "PUT /base/links/false HTTP/1.1")
  }

  @Test func aWordThatNoMapHasFailsTheHook() async throws {
    let call = Provisioning.Call(
      method: "PUT", target: .path(template("/links")), body: template(["active": "${flag}"]),
      maps: ["flag": .init(of: template("${state}"), to: ["on": template(true)])])
    let (outcome, seen) = try await perform(call, ["state": "paused"], reply: Self.ok([:]))
    #expect(
      outcome.view.compactText.contains("its map 'flag' has no value for 'paused'; expected one of on"),
      "\(outcome.view)")
    #expect(seen.isEmpty)
  }

  /// The clean-up comes first, then each log-in. The values of a log-in are like others, and are secrets.
  @Test func aSubjectIsCleanedUpAndLoggedInTo() async throws {
    let seen = LockedValue<[String]>([])
    let server = try await MockServer.start(
      name: "server", clock: ScaledClock(),
      responder: { record in
        seen.change { $0.append(record.line) }
        return WireReply(response: .json(200, ["token": "t0ken-0123"]))
      }, journal: { _ in })
    let url = "http://127.0.0.1:\(server.port)"
    var provisioning = Provisioning()
    provisioning.cleanUp = .init(.http(.init(method: "DELETE", target: .path(template("/clicks")))))
    provisioning.logins["key"] = .init(
      .http(.init(method: "POST", target: .path(template("/login")), result: template("${answer.body.token}"))))
    let obtained = ObtainedSecrets()
    let redaction = Redaction(obtained: obtained)
    #expect(redaction("is t0ken-0123") == "is t0ken-0123")
    // Two services with the same base URL have one place for paths.
    let subject = try await ServerUnderTest.prepared(
      urls: ["main": url, "other": url], provisioning: provisioning, folder: "/", client: WireClient(),
      obtained: obtained)
    let again = try await ServerUnderTest.prepared(
      urls: ["main": url], provisioning: provisioning, folder: "/", client: WireClient(), cleansUp: false)
    await server.stop()
    #expect(subject.values["key"] == "t0ken-0123")
    #expect(again.values["key"] == "t0ken-0123")
    #expect(seen.value == ["DELETE /clicks HTTP/1.1", "POST /login HTTP/1.1", "POST /login HTTP/1.1"])
    #expect(redaction("is t0ken-0123") == "is [redacted:key]")
  }

  @Test func aLoginThatFailsEndsTheRun() async throws {
    let server = try await MockServer.start(
      name: "server", clock: ScaledClock(),
      responder: { _ in WireReply(response: .json(401, ["error": "who?"])) }, journal: { _ in })
    let url = "http://127.0.0.1:\(server.port)"
    var provisioning = Provisioning()
    provisioning.logins["key"] = .init(
      .http(.init(method: "POST", target: .path(template("/login")), result: template("${answer.body.token}"))))
    var problem = ""
    do {
      _ = try await ServerUnderTest.prepared(
        urls: ["main": url], provisioning: provisioning, folder: "/", client: WireClient())
    } catch {
      problem = "\(error)"
    }
    await server.stop()
    #expect(problem.contains("the log-in for 'key' failed: POST /login answered 401"), "\(problem)")
  }

  /// A server other than the one under test does not get its headers.
  @Test func aURLOfItsOwnGetsNoHeadersOfTheServer() async throws {
    let call = Provisioning.Call(
      method: "POST", target: .url(template("${server.url}/x?y=1#z")), body: template("text"))
    let (outcome, seen) = try await perform(call, headers: ["X-All": "1"], reply: Self.ok([:]))
    #expect(outcome == .result(.null))
    #expect(seen.first?.line == "POST /base/x?y=1 HTTP/1.1")
    #expect(seen.first?.headers["X-All"] == nil)
    #expect(seen.first?.body.text == "text")
    #expect(seen.first?.headers["Content-Type"] == nil)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var reply: WireReply
    var says: String
    var status: Int?
  }

  private static let rows = [
    Row(
      testDescription: "refused", reply: WireReply(response: .json(401, ["error": "no key"])),
      says: #"POST /base/make answered 401: {"error":"no key"}"#, status: 401),
    Row(
      testDescription: "redirected in a circle",
      reply: WireReply(response: HTTPResponse(status: 302, headers: ["Location": "/base/make"])),
      says: "answered 302 to /base/make, and redirects are not followed", status: 302),
    Row(
      testDescription: "HTML",
      reply: WireReply(
        response: HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array("<html>".utf8))),
      says: "nothing is bound to ${answer.body.id}: <html>"),
    Row(
      testDescription: "another answer", reply: WireReply(response: .json(200, ["ID": 1])),
      says: #"nothing is bound to ${answer.body.id}: {"ID":1}"#),
    Row(
      testDescription: "half a body", reply: WireReply(response: .json(200, ["id": 1]), fault: .truncate(bytes: 3)),
      says: "POST /base/make at 127.0.0.1:"),
    Row(
      testDescription: "nothing",
      reply: WireReply(response: HTTPResponse(status: 200), fault: .drop(serverActs: false)),
      says: "closed the connection without a response"),
    Row(
      testDescription: "too much",
      reply: WireReply(response: HTTPResponse(status: 200, body: [UInt8](repeating: 0x20, count: 2 << 20))),
      says: "POST /base/make at 127.0.0.1:"),
    Row(
      testDescription: "no HTTP",
      reply: WireReply(response: HTTPResponse(status: 200), fault: .raw(Octets("SSH".utf8))),
      says: "POST /base/make at 127.0.0.1:"),
  ]

  @Test(arguments: rows)
  func aBadAnswerIsAnErrorThatSaysWhy(row: Row) async throws {
    let call = Provisioning.Call(
      method: "POST", target: .path(template("/make")), result: template(["id": "${answer.body.id}"]))
    let (outcome, _) = try await perform(call) { _ in row.reply }
    guard case .error(let error) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(error.kind == CommandError.hookFailed)
    #expect(error.status == row.status)
    #expect(error.message?.contains(row.says) == true, "\(error)")
  }

  @Test func aCallThatHangsEndsWithItsTime() async throws {
    let call = Provisioning.Call(method: "POST", target: .path(template("/make")))
    let (outcome, _) = try await perform(call, limit: .seconds(5)) { _ in
      WireReply(response: HTTPResponse(status: 200), fault: .hang)
    }
    #expect(outcome.view.compactText.contains("no whole response within 5.0 seconds"), "\(outcome.view)")
  }

  @Test(arguments: ["a\nb", "a\rb"])
  func aHeaderHoldsOneLine(code: String) async throws {
    let call = Provisioning.Call(
      method: "POST", target: .path(template("/make")), headers: ["X": template("${code}")])
    let (outcome, seen) = try await perform(call, ["code": .string(code)], reply: Self.ok([:]))
    #expect(outcome.view.compactText.contains("its headers or its path contain a line break"))
    #expect(seen.isEmpty)
  }

  /// With several services a path alone is ambiguous.
  @Test func aSubjectWithSeveralServicesIsCalledByTheirNames() async throws {
    let server = try await MockServer.start(
      name: "app", clock: ScaledClock(), responder: { WireReply(response: .json(200, .string($0.request.target))) },
      journal: { _ in })
    var provisioning = Provisioning()
    func lend(_ name: String, _ target: Provisioning.Call.Target) {
      let call = Provisioning.Call(method: "POST", target: target, result: template("${answer.body}"))
      provisioning.hooks[name] = .init(.http(call), timeLimit: .seconds(30))
    }
    lend("url", .url(template("${app.url}/x/${code}")))
    let urls: [ServiceName: String] = ["app": "http://127.0.0.1:\(server.port)/base", "main": "http://127.0.0.1:1"]
    let subject = try ServerUnderTest(urls: urls, provisioning: provisioning, folder: "/", client: WireClient())
    #expect(await subject.hooks["url"]?.perform(["code": "a b"]) == .result("/base/x/a%20b"))
    await server.stop()
    lend("path", .path(template("/x")))
    let problem = #expect(throws: ProvisioningProblem.self) {
      try ServerUnderTest(urls: urls, provisioning: provisioning, folder: "/", client: WireClient())
    }
    #expect(problem?.text.contains("the hook of path has a 'path', and the subject offers several services") == true)
    #expect(problem?.text.contains("${app.url}/… or ${main.url}/…") == true)
  }

  @Test(arguments: ["ftp://host/", "nonsense", ""])
  func aURLThatIsNoneIsTold(url: String) async throws {
    let call = Provisioning.Call(method: "POST", target: .url(template(.string(url))))
    let (outcome, _) = try await perform(call, reply: Self.ok([:]))
    #expect(outcome.view.compactText.contains("'\(url)' is not an HTTP URL"))
  }
}

/// A value that several tasks change.
private final class LockedValue<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  init(_ value: Value) { mutex = Mutex(value) }

  var value: Value { mutex.withLock { $0 } }
  func change(_ body: (inout Value) -> Void) { mutex.withLock { body(&$0) } }
}
