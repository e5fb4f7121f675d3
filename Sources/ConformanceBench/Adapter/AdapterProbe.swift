import ConformanceModel

/// Asks an adapter for commands that do not exist, to see whether it says yes to everything.
public struct AdapterProbe: Sendable {
  /// What the probe showed.
  public struct Finding: Hashable, Sendable {
    public var isHonest: Bool
    /// What was asked and answered, for a person.
    public var text: String

    public init(isHonest: Bool, text: String) {
      self.isHonest = isHonest
      self.text = text
    }
  }

  /// The made-up commands, in the order in which they are asked for.
  public let commands: [String]

  /// - Parameters:
  ///   - seed: what the names are made from; the same seed makes the same names.
  ///   - known: the commands of the protocol, none of which is made up.
  public init(seed: UInt64, count: Int = 3, avoiding known: Set<String> = []) {
    var names = NameMaker(state: seed)
    var commands: [String] = []
    while commands.count < count {
      let name = names.next()
      if !known.contains(name), !commands.contains(name), BaseCommand(rawValue: name) == nil { commands.append(name) }
    }
    self.commands = commands
  }

  /// Asks for one after the other, until an answer is a lie. Throws what ``AdapterSession/reply(to:)`` throws.
  public func run(on session: AdapterSession) async throws -> Finding {
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

/// Names of ten small letters from a seed (SplitMix64).
private struct NameMaker {
  var state: UInt64

  mutating func next() -> String {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    var name = ""
    for _ in 0..<10 {
      name.append(Character(UnicodeScalar(UInt8(ascii: "a") + UInt8(bits % 26))))
      bits /= 26
    }
    return name
  }
}
