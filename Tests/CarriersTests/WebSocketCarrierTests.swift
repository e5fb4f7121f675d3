import Adapters
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import Testing

@testable import Carriers

/// An app that does not connect again, and connections that are refused.
@Suite struct WebSocketCarrierTests {
  private final class Reports: Sendable {
    private let reports = Mutex<[CarrierReport]>([])

    var all: [CarrierReport] { reports.withLock(\.self) }
    func append(_ report: CarrierReport) { reports.withLock { $0.append(report) } }
  }

  private let loop = EmbeddedEventLoop()
  private let reports = Reports()
  private let carrier: WebSocketCarrier

  init() {
    carrier = WebSocketCarrier(on: loop, token: "5f0c", .init(host: "127.0.0.1", relaunch: nil, limit: 1)) {
      [reports] in reports.append($0)
    }
  }

  private func waitInVain() {
    carrier.connect(RelayConnection(key: [], carrier: carrier))
    loop.advanceTime(by: WebSocketCarrier.patience)
  }

  @Test func theRunEndsIfNoAdapterConnectsAgain() {
    waitInVain()
    let waiting = CarrierReport.note("waiting for the adapter to connect again at ws://127.0.0.1:0/?token=5f0c")
    #expect(reports.all == [waiting])
    waitInVain()
    #expect(reports.all.count == 2)
    guard case .failure(let text)? = reports.all.last else {
      Issue.record("the carrier did not give up: \(reports.all)")
      return
    }
    #expect(text.hasPrefix("no adapter has connected for 40 s, so the run ends"), "\(text)")
  }

  @Test func anAdapterThatConnectsInTimeEndsTheWait() {
    waitInVain()
    let adapter = WebSocketAdapter(device: "a page", carrier: carrier)
    carrier.add(adapter)
    carrier.remove(adapter)
    waitInVain()
    let isOver = reports.all.contains { if case .failure = $0 { true } else { false } }
    #expect(!isOver, "\(reports.all)")
  }

  @Test func eachRefusalIsReportedOnce() {
    for text in ["a", "a", "b", "a"] { carrier.note(.init(status: .forbidden, text: text), of: "a page") }
    let note = "a connection of a page is refused with 403: "
    #expect(reports.all == [.note(note + "a"), .note(note + "b")])
  }
}
