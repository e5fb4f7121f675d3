import AdapterProtocol

/// Checks how an adapter reads and writes messages.
extension AdapterCheckup {
  func framing(_ hello: AdapterHello) async throws -> AdapterFinding {
    try await withApp(hello) { adapter in
      try await adapter.perform(.quit)
      if let breach = adapter.breaches.first { return .failed(breach) }
      return .passed("each line of stdout contains exactly one message")
    }
  }

  func lineEnds() async throws -> AdapterFinding {
    if isCarried { return .notApplicable("the carrier ends the lines") }
    let hello = AdapterRequest.hello(kit: kit, protocolName: definition.name)
    let ending = try await converse([hello, .shutdown], lineEnd: "\r\n")
    var splitter = LineSplitter(limit: nil)
    let answered = splitter.lines(in: ending.output).compactMap { line -> Int? in
      guard case .whole(let bytes) = line, case .result(let id, _)? = try? RPCMessage(line: bytes) else { return nil }
      return id
    }
    guard answered.contains(1) else {
      let words = ending.errors.isEmpty ? "" : ". Its stderr ends: \(ending.errors)"
      return .failed("the adapter did not answer a 'hello' that ends with \\r\\n\(words)")
    }
    return .passed("a line may end with \\r\\n")
  }

  func unknownCommand(_ hello: AdapterHello) async throws -> AdapterFinding {
    try await withApp(hello) { adapter in
      let probe = AdapterProbe(seed: 1, avoiding: Set(definition.commands.map(\.name)))
      let finding = try await probe.run(on: adapter.session)
      return finding.isHonest ? .passed("made-up commands are refused") : .failed(finding.text)
    }
  }

  /// Sends many commands in one write. The adapter must answer each command once, and must lose none in a buffer.
  func replies(_ hello: AdapterHello) async throws -> AdapterFinding {
    try await withApp(hello) { adapter in
      // This check does not count stray lines that 'launch' causes. The check 'framing' counts them.
      try await Task.sleep(for: Self.pause)
      let earlier = adapter.breaches.count
      let ids = (0..<Self.burst).map { _ in adapter.session.send(.ping, isHeld: true) }
      adapter.session.flush()
      for id in ids {
        let outcome = try await adapter.session.reply(to: id)
        guard outcome == .result(.null) else {
          return .failed("the adapter answered 'ping' (id \(id)) with \(outcome.view.excerpt); expected null")
        }
      }
      try await Task.sleep(for: Self.pause)
      if let breach = adapter.breaches.dropFirst(earlier).first { return .failed(breach) }
      return .passed("\(Self.burst) commands in one write are answered once each")
    }
  }

  func speed(_ hello: AdapterHello) async throws -> AdapterFinding {
    try await withApp(hello) { adapter in
      let clock = SuspendingClock()
      var spans: [Duration] = []
      for _ in 0..<Self.burst {
        spans.append(try await clock.measure { _ = try await adapter.session.call(.ping) })
      }
      spans.sort()
      // A busy machine delays single round trips. An adapter that polls or sleeps delays all its round trips.
      let fast = spans[spans.count / 10]
      guard fast <= Self.slowest else {
        return .failed(
          "nine of ten 'ping' are answered after \(fast.formattedMilliseconds) ms or more; expected at most "
            + "\(Self.slowest.formattedMilliseconds) ms")
      }
      return .passed("a round trip takes \(spans[spans.count / 2].formattedMilliseconds) ms (median of \(Self.burst))")
    }
  }

  private static let burst = 50
  /// For this time, the kit waits whether the adapter sends a message that the kit did not ask for.
  static let pause = Duration.milliseconds(100)
  /// The longest round trip of an adapter that does not poll or sleep. It is twenty times the round trip of an adapter
  /// in Python.
  private static let slowest = Duration.milliseconds(20)
}

extension Duration {
  /// Milliseconds with two decimals.
  fileprivate var formattedMilliseconds: String {
    let hundredths = Int((self / .microseconds(10)).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
