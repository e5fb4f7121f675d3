import AdapterProtocol
import ConformanceModel
import ConformanceTranscript

/// Sends commands that do not exist to an adapter, to find out whether the adapter accepts every command.
package struct AdapterProbe: Sendable {
  /// The result of the probe.
  package struct Finding: Hashable, Sendable {
    package var isHonest: Bool
    /// The command and the answer, as a sentence for people.
    package var text: String

    package init(isHonest: Bool, text: String) {
      self.isHonest = isHonest
      self.text = text
    }
  }

  /// The made-up commands, in the order in which they are sent.
  package let commands: [String]

  /// - Parameters:
  ///     - seed: the seed of the names. The same seed results in the same names.
  ///   - known: the commands of the protocol, which are not used as made-up names.
  package init(seed: UInt64, count: Int = 3, avoiding known: Set<String> = []) {
    var names = SeededRandom(seed: seed)
    var commands: [String] = []
    while commands.count < count {
      let name = names.name()
      if !known.contains(name), !commands.contains(name), BaseCommand(rawValue: name) == nil { commands.append(name) }
    }
    self.commands = commands
  }

  /// Sends one command after the other until the adapter accepts one of them. Throws what ``AdapterSession/reply(to:)``
  /// throws.
  package func run(on session: AdapterSession) async throws -> Finding {
    for command in commands {
      if let lie = lie(in: try await session.call(AdapterRequest(command)), about: command) {
        return Finding(isHonest: false, text: lie)
      }
    }
    return Finding(
      isHonest: true, text: "the adapter knows none of the made-up commands \(commands.joined(separator: ", "))")
  }

  /// Describes the wrong answer to a made-up command; nil if the adapter refused the command as it should.
  func lie(in outcome: CommandOutcome, about command: String) -> String? {
    if case .error(let error) = outcome, error.kind == CommandError.unsupported { return nil }
    return "the adapter answered the made-up command '\(command)' with \(outcome.view.excerpt); expected the error "
      + "\(RPCError.methodNotFound), or the kind \(CommandError.unsupported)"
  }
}

extension SeededRandom {
  /// A random name of ten lower-case letters.
  fileprivate mutating func name() -> String {
    String((0..<10).map { _ in Character(UnicodeScalar(UInt8(ascii: "a") + UInt8(next() % 26))) })
  }
}
