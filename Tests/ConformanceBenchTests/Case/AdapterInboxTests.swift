import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Adapters

/// The events of an adapter on the loop of the case: in order, and behind the requests in sockets.
@Suite struct AdapterInboxTests {
  private final class Heard: Sendable {
    private let words = Mutex<[String]>([])
    var all: [String] { words.withLock(\.self) }
    func add(_ word: String) { words.withLock { $0.append(word) } }
  }

  private let loop = MultiThreadedEventLoopGroup.singleton.any()

  @Test func keepsTheOrderAndHearsOnTheLoop() async {
    let heard = Heard()
    let inbox = AdapterInbox(on: loop)
    for number in 1...100 {
      inbox.post(afterSockets: number.isMultiple(of: 3)) { [loop] in heard.add("\(number) \(loop.inEventLoop)") }
    }
    await inbox.emptied()
    #expect(heard.all == (1...100).map { "\($0) true" })
  }

  /// An entry that waits for sockets is not overtaken by later entries, and is processed once the sockets are read.
  @Test func waitsForSocketsWithAllThatComesBehind() async throws {
    let heard = Heard()
    let read = loop.makePromise(of: Void.self)
    let looks = Mutex(0)
    let inbox = AdapterInbox(on: loop) {
      looks.withLock { $0 += 1 }
      return read.futureResult
    }
    inbox.post { heard.add("log") }
    inbox.post(afterSockets: true) { heard.add("reply") }
    inbox.post { heard.add("exit") }
    try await loop.submit {}.get()
    #expect(heard.all == ["log"])
    heard.add("request")
    read.succeed()
    await inbox.emptied()
    #expect(heard.all == ["log", "request", "reply", "exit"])
    #expect(looks.withLock(\.self) == 1)
  }

  /// An adapter that writes faster than the case can process is read no faster.
  @Test func holdsBackWhoIsFarAhead() async throws {
    let read = loop.makePromise(of: Void.self)
    let inbox = AdapterInbox(on: loop) { read.futureResult }
    inbox.post(afterSockets: true) {}
    for _ in 1..<AdapterInbox.patience { inbox.post {} }
    try await loop.submit {}.get()
    #expect(inbox.backlog() == nil)
    let heard = Heard()
    inbox.post { heard.add("last") }
    let backlog = try #require(inbox.backlog())
    read.succeed()
    try await backlog.get()
    #expect(heard.all == ["last"])
    #expect(inbox.backlog() == nil)
  }
}
