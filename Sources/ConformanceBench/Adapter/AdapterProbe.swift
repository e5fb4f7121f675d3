import AdapterProtocol
import ConformanceModel

/// Asks an adapter for commands that do not exist, to see whether it says yes to everything.
package struct AdapterProbe: Sendable {
  /// What the probe showed.
  package struct Finding: Hashable, Sendable {
    package var isHonest: Bool
    /// What was asked and answered, for a person.
    package var text: String

    package init(isHonest: Bool, text: String) {
      self.isHonest = isHonest
      self.text = text
    }
  }

  /// The made-up commands, in the order in which they are asked for.
  package let commands: [String]

  /// - Parameters:
  ///   - seed: what the names are made from; the same seed makes the same names.
  ///   - known: the commands of the protocol, none of which is made up.
  package init(seed: UInt64, count: Int = 3, avoiding known: Set<String> = []) {
    var names = SeededRandom(seed: seed)
    var commands: [String] = []
    while commands.count < count {
      let name = names.name()
      if !known.contains(name), !commands.contains(name), BaseCommand(rawValue: name) == nil { commands.append(name) }
    }
    self.commands = commands
  }

  /// Asks for one after the other, until an answer is a lie. Throws what ``AdapterSession/reply(to:)`` throws.
  package func run(on session: AdapterSession) async throws -> Finding {
    for command in commands {
      if let lie = lie(in: try await session.call(AdapterRequest(command)), about: command) {
        return Finding(isHonest: false, text: lie)
      }
    }
    return Finding(
      isHonest: true, text: "the adapter knows none of the made-up commands \(commands.joined(separator: ", "))")
  }

  /// What is wrong with the answer to a command that does not exist.
  func lie(in outcome: CommandOutcome, about command: String) -> String? {
    if case .error(let error) = outcome, error.kind == CommandError.unsupported { return nil }
    return "the adapter answered the made-up command '\(command)' with \(outcome.view.excerpt); expected the error "
      + "\(RPCError.methodNotFound), or the kind \(CommandError.unsupported)"
  }
}

extension SeededRandom {
  /// A name of ten small letters.
  fileprivate mutating func name() -> String {
    String((0..<10).map { _ in Character(UnicodeScalar(UInt8(ascii: "a") + UInt8(next() % 26))) })
  }
}
