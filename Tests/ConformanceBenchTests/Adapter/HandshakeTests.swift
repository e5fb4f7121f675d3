import JSONKit
import Testing

@testable import Adapters
@testable import Processes

/// Adapters with which the kit cannot begin: each ends with an error that says why, and nothing stays behind.
@Suite struct HandshakeTests {
  struct BadStart: CustomTestStringConvertible {
    var testDescription: String
    var bend: String
    var kind: ProgramFailure.Kind
    var texts: [String]
    var limits = AdapterLimits.patient
  }

  static let badStarts = [
    BadStart(
      testDescription: "greets on stdout", bend: "print('Welcome to the adapter!', flush=True)", kind: .broke,
      texts: ["is not JSON at byte 0", "logs belong on stderr", "Welcome to the adapter!"]),
    BadStart(
      testDescription: "exits at once", bend: "log('no SDK found'); sys.exit(3)", kind: .died,
      texts: ["exited with code 3", "Its stderr ends: no SDK found"]),
    BadStart(
      testDescription: "has a bug", bend: "import nosuchmodule", kind: .died,
      texts: ["exited with code 1", "ModuleNotFoundError: No module named 'nosuchmodule'"]),
    BadStart(
      testDescription: "crashes", bend: "os.kill(os.getpid(), signal.SIGSEGV)", kind: .died,
      texts: ["was ended by signal 11"]),
    BadStart(
      testDescription: "never answers", bend: "def work(id, method, params): return True", kind: .hung,
      texts: ["no reply to 'hello' (id 1) within"],
      limits: AdapterLimits(reply: .milliseconds(300), grace: .seconds(60))),
    BadStart(
      testDescription: "closes stdout and lives on", bend: "os.close(1); signal.pause()", kind: .broke,
      texts: ["closed its stdout and did not exit"],
      limits: AdapterLimits(reply: .seconds(120), grace: .milliseconds(100))),
    BadStart(
      testDescription: "closes stdin and lives on", bend: "os.close(0); signal.pause()", kind: .broke,
      texts: ["closed its stdin and did not exit"],
      limits: AdapterLimits(reply: .seconds(120), grace: .milliseconds(100))),
    BadStart(
      testDescription: "closes all streams and exits later",
      bend: "os.closerange(0, 3); signal.setitimer(signal.ITIMER_REAL, 0.05); signal.pause()", kind: .died,
      texts: ["was ended by signal 14"]),
    BadStart(
      testDescription: "floods stdout", bend: "while True: write('x' * 4096)", kind: .broke,
      texts: ["a line on stdout is longer than 8388608 bytes. It begins: xxx"]),
    BadStart(
      testDescription: "floods stdout with lines", bend: "while True: write('x\\n' * 4096)", kind: .broke,
      texts: ["is not JSON at byte 0"]),
    BadStart(
      testDescription: "speaks another version", bend: "HELLO['protocolVersion'] = 2", kind: .handshake,
      texts: ["speaks version 2 of the adapter protocol, and the kit speaks version 1"]),
    BadStart(
      testDescription: "is for another protocol", bend: "HELLO['protocol'] = 'letter'", kind: .handshake,
      texts: ["the protocol 'letter', but the run is about 'parcel'"]),
    BadStart(
      testDescription: "does not name its SDK", bend: "del HELLO['sdk']['name']", kind: .handshake,
      texts: ["$.sdk.name: expected a value, found nothing"]),
    BadStart(
      testDescription: "does not know hello",
      bend: "def work(id, method, params): return fail(id, -32601, 'what?') or True", kind: .handshake,
      texts: ["the adapter refused 'hello' with", "unsupported"]),
    BadStart(
      testDescription: "answers hello twice in one message",
      bend: "def work(id, method, params): return send({'id': id, 'result': HELLO, 'error': None}) or True",
      kind: .broke,
      texts: ["expected either 'result' or 'error'"]),
  ]

  @Test(arguments: badStarts)
  func saysWhy(bad: BadStart) async throws {
    let observed = try await ObservedSession(bend: bad.bend, limits: bad.limits)
    let failure = await #expect(throws: ProgramFailure.self) {
      try await observed.session.hello(kit: "conform 0.1.0", protocolName: "parcel")
    }
    #expect(failure?.kind == bad.kind)
    for text in bad.texts { #expect(failure?.text.contains(text) == true, "\(failure?.text ?? "")") }
    observed.expectNothingLeft()
    let later = await #expect(throws: ProgramFailure.self) { try await observed.session.call(.ping) }
    #expect(later != nil)
  }

  @Test func anHonestAdapterIsGreeted() async throws {
    let observed = try await ObservedSession()
    let hello = try await observed.session.hello(kit: "conform 0.1.0", protocolName: "parcel")
    #expect(hello.name == "parcel-py")
    #expect(hello.instances == .many)
    #expect(await observed.session.shutDown() == AdapterEnding(cause: .shutdown, exit: .exited(code: 0)))
    #expect(observed.events.last == .exited(code: 0))
    #expect(observed.breaches.isEmpty)
    observed.expectNothingLeft()
  }
}
