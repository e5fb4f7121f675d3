import AdapterProtocol
import Foundation
import JSONKit
import Testing

@testable import Adapters
@testable import Processes

/// The page that adapters are written from says what the kit does.
@Suite struct ProtocolPageTests {
  private let lines: [String]

  init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    let page = root.appendingPathComponent("spec/kit/adapter-protocol.md").standardized
    lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
  }

  private func messages(_ mark: String) throws -> [RPCMessage] {
    try lines.filter { $0.hasPrefix(mark + " {") }.map { try RPCMessage(line: Array($0.dropFirst(2).utf8)) }
  }

  @Test func theRunOfThePageIsWithoutBreach() throws {
    var conversation = AdapterConversation(limits: AdapterLimits(), checks: .none)
    var events: [AdapterEvent] = []
    for line in lines where line.hasPrefix("→ {") || line.hasPrefix("← {") {
      let text = Array(line.dropFirst(2).utf8) + [0x0A]
      if line.hasPrefix("→"),
        case .request(let id, let method, .object(let params)) = try RPCMessage(line: text.dropLast())
      {
        let sent = conversation.command(AdapterRequest(method, params: params), limit: .own, at: .now)
        #expect(sent.id == id)
        #expect(sent.line == text)
      } else {
        for case .event(let event) in conversation.readOutput(text) { events.append(event) }
      }
    }
    #expect(events.count == 11)
    #expect(!events.contains { if case .breach = $0 { true } else { false } })
    #expect(conversation.deadline == nil, "each command has a reply")
  }

  @Test func itsBaseCommandsAreThoseOfTheKit() throws {
    let sent = try messages("→").compactMap { message -> AdapterRequest? in
      guard case .request(_, let method, .object(let params)) = message else { return nil }
      return BaseCommand(rawValue: method) == nil ? nil : AdapterRequest(method, params: params)
    }
    let launch = AdapterLaunch(storage: "/tmp/case-1", clock: .virtual, epoch: 1_767_225_600_000, seed: 7)
    #expect(
      sent == [
        .hello(kit: "conform 0.1.0", protocolName: try helloOfThePage().protocolName), .launch(launch),
        .advance(to: .milliseconds(1500), inFlight: 0), .quit, .shutdown,
      ])
    for command in BaseCommand.allCases { #expect(lines.contains { $0.hasPrefix("| `\(command)` |") }) }
  }

  private func helloOfThePage() throws -> AdapterHello {
    guard case .result(_, let answer)? = try messages("←").first else { throw ProgramFailure(.handshake, "no hello") }
    return try AdapterHello(JSONField(answer))
  }

  @Test func itsLimitsAreThoseOfTheKit() {
    let limits = AdapterLimits()
    #expect(limits.lineBytes == 8 << 20)
    #expect(limits.outputBytes == 32 << 20)
    #expect(limits.errorBytes == 256 << 10)
    #expect(limits.reply == .seconds(30))
    #expect(limits.grace == .seconds(2))
    #expect(limits.breaches == 100)
    for text in [
      "| 8 MiB; JSON at most 256", "| 32 MiB |", "256 KiB after each `launch`", "| 30 s of",
      "| 2 s; then the kit sends SIGTERM",
      "After 100 breaches the kit",
    ] {
      #expect(lines.contains { $0.contains(text) }, "\(text)")
    }
  }

  @Test func itsAdapterWorks() async throws {
    let start = try #require(lines.firstIndex(of: "```python"))
    let source = lines[(start + 1)...].prefix { $0 != "```" }.joined(separator: "\n")
    let adapter = try PythonAdapter(source: source + "\n")
    let observed = try await ObservedSession(adapter.command)
    let hello = try await observed.session.hello(kit: "conform 0.1.0", protocolName: try helloOfThePage().protocolName)
    #expect(hello.instances == .many)
    for _ in 0..<2 {
      let launch = AdapterLaunch(storage: "/tmp", clock: .real, epoch: 0)
      #expect(try await observed.session.call(.launch(launch)) == .result(.null))
      #expect(try await AdapterProbe(seed: 3).run(on: observed.session).isHonest)
      #expect(try await observed.session.call(.quit) == .result(.null))
    }
    #expect(await observed.session.shutDown() == AdapterEnding(cause: .shutdown, exit: .exited(code: 0)))
    #expect(observed.breaches.isEmpty)
  }
}
