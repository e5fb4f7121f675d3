import AdapterProtocol
import FoundationEssentials
import JSONKit
import Processes
import Templates

/// The checks of the life of an app: how an adapter starts the app, stores its data, and ends it.
extension AdapterCheckup {
  /// Checks that two processes can run at the same time, because the kit runs several cases at once.
  func concurrency(_ hello: AdapterHello) async throws -> AdapterFinding {
    if isCarried { return .notApplicable("one case runs at a time, unless --jobs says otherwise") }
    return try await withApp(hello) { first in
      do {
        try await withApp(hello) { try await $0.perform(.ping) }
      } catch let failure as ProgramFailure {
        throw ProgramFailure(failure.kind, "a second adapter beside a first one fails: \(failure.text)")
      }
      try await first.perform(.ping)
      return .passed("two adapters run side by side")
    }
  }

  func restart(_ hello: AdapterHello) async throws -> AdapterFinding {
    try await withFolder { folder in
      // The first process is killed while its app runs.
      try await withAdapter { try await $0.perform(launch(hello, folder)) }
      try await withAdapter { adapter in
        for _ in 0..<(hello.instances == .many ? 2 : 1) {
          try await adapter.perform(launch(hello, folder))
          try await adapter.perform(.quit)
        }
      }
      let words = hello.instances == .many ? "after 'quit' and after a kill" : "after a kill"
      return .passed("an app starts again \(words)")
    }
  }

  /// Launches two apps, one after the other, each with its own storage folder. No app may empty its folder, or change
  /// the folder of the other app.
  func storage(_ hello: AdapterHello) async throws -> AdapterFinding {
    try await withFolder { first in
      try await withFolder { second in
        let marker = "\(first)/\(Self.markerName)"
        try Data(Self.markerName.utf8).write(to: URL(filePath: marker))
        try await withAdapter { adapter in
          try await adapter.perform(launch(hello, first))
          try await adapter.perform(.quit)
        }
        guard FileManager.default.contents(atPath: marker) == Data(Self.markerName.utf8) else {
          return .failed("a file in the storage folder is gone or changed after 'launch' and 'quit'; expected it kept")
        }
        let before = Self.contents(of: first)
        try await withAdapter { adapter in
          try await adapter.perform(launch(hello, second))
          try await adapter.perform(.quit)
        }
        guard Self.contents(of: first) == before else {
          return .failed("an app that was launched with another storage folder changed the first one's")
        }
        guard Self.contents(of: second)[Self.markerName] == nil else {
          return .failed("an app with a fresh storage folder has the files of the app before it")
        }
        return .passed("storage is kept, and each app has its own")
      }
    }
  }

  private static let markerName = "kept-by-conform-doctor"

  /// Maps the path of each file in a folder to the content of the file. Includes the files in subfolders.
  private static func contents(of folder: String) -> [String: Data] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return Dictionary(
      names.compactMap { name in FileManager.default.contents(atPath: "\(folder)/\(name)").map { (name, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Checks that the virtual clock does not move while real time passes, and that after each `advance` the next timer
  /// is due later than the new time of the clock.
  func clock(_ hello: AdapterHello) async throws -> AdapterFinding {
    guard hello.clocks.contains(.virtual) else {
      return .notApplicable("the adapter offers no virtual clock; cases that let days pass are skipped")
    }
    return try await withApp(hello) { adapter in
      let before = try await advance(adapter, to: .zero)
      try await Task.sleep(for: Self.pause)
      let after = try await advance(adapter, to: .zero)
      guard before == after else {
        return .failed("the next timer changed from \(Self.text(before)) to \(Self.text(after)) while time stood still")
      }
      var now = LogicalTime.zero
      for _ in 0..<5 {
        now = (try await advance(adapter, to: now)) ?? now + .seconds(1)
        _ = try await advance(adapter, to: now)
      }
      // Sends two commands at once. The adapter must answer both.
      let ids = [now, now + .seconds(1)].map { adapter.session.send(.advance(to: $0, inFlight: 0)) }
      for id in ids { _ = try await adapter.session.reply(to: id) }
      return .passed("time stands still until 'advance' moves it")
    }
  }

  /// Sends an `advance`. Returns the time of the app's next timer; nil without a timer. Throws if that timer is already
  /// due.
  private func advance(_ adapter: CheckedAdapter, to time: LogicalTime) async throws -> LogicalTime? {
    let outcome = try await adapter.session.call(.advance(to: time, inFlight: 0))
    let what = "'advance' to \(Self.text(time)) is answered with \(outcome.view.excerpt)"
    guard case .result(let value) = outcome, let reply = try? AdvanceReply(JSONField(value)) else {
      throw ProgramFailure(.broke, "\(what); expected {\"next\": …}")
    }
    if let next = reply.next, next <= time {
      throw ProgramFailure(.broke, "\(what); expected a timer that is due later, or null")
    }
    return reply.next
  }

  private static func text(_ time: LogicalTime?) -> String { time.map { "\(Int($0.milliseconds)) ms" } ?? "none" }

  func quit(_ hello: AdapterHello) async throws -> AdapterFinding {
    try await withApp(hello) { adapter in
      try await adapter.perform(.quit)
      try await Task.sleep(for: Self.pause)
      for event in adapter.eventsAfterLastReply {
        if case .callback = event { return .failed("a callback came after the reply to 'quit'") }
        if let breach = CheckedAdapter.breach(event) { return .failed("after the reply to 'quit', \(breach)") }
      }
      return .passed("nothing comes after the reply to 'quit'")
    }
  }

  func exit(_ hello: AdapterHello) async throws -> AdapterFinding {
    let ending = try await withApp(hello) { await $0.session.shutDown() }
    guard ending.cause == .shutdown else {
      return .failed("the adapter did not exit within 2 s after 'shutdown', and was ended by a signal")
    }
    guard ending.exit == .exited(code: 0) else {
      return .failed("after 'shutdown' the adapter \(ending.exit); expected it to exit with code 0")
    }
    if let leftover = ending.leftovers.first { return .failed("after its exit, '\(leftover)' was still running") }
    let end = try await converse([.hello(kit: kit, protocolName: definition.name)], lineEnd: "\n")
    switch end.cause {
    case .exited(.exited(code: 0)):
      return .passed("the adapter exits with code 0 after 'shutdown' and at the end of stdin")
    case .exited(let exit): return .failed("at the end of stdin the adapter \(exit); expected it to exit with code 0")
    case .timeLimit: return .failed("the adapter still ran \(limit) after the end of stdin; expected it to exit")
    case .outputLimit: return .failed("the adapter floods stdout at the end of stdin; expected it to exit")
    case .cancelled: throw CancellationError()
    }
  }
}
