import ConformanceTranscript

/// The reason why an adapter could not be started, or accepts no more commands.
package struct ProgramFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, CaseIterable, Sendable {
    /// The text of the command cannot be split into words.
    case command
    /// The program cannot be started.
    case start
    /// The adapter answers `hello`, but the kit cannot work with the answer.
    case handshake
    /// The machine lacks a resource to start the program.
    case machine
    /// The process ended although the kit had not asked it to end.
    case died
    /// The process did not reply within its limit.
    case hung
    /// The adapter broke the adapter protocol and gave no answer.
    case broke
    /// The kit ended the process.
    case ended
  }

  package var kind: Kind
  /// A text for people: the observation, the expectation and the remedy.
  package var text: String

  package init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  package var description: String { text }

  /// Whether the cause is in the adapter's own code. A process that cannot be started does not count.
  package var isOfAdapter: Bool { [.handshake, .died, .hung, .broke].contains(kind) }

  /// The way in which a case ends when it meets this failure.
  package var ending: TranscriptEntry.Ending {
    switch kind {
    case .hung: .init(.adapterHung, text)
    case .broke, .handshake: .init(.adapterBroke, text)
    case .machine: .init(.machine, text)
    case .command, .start, .died, .ended: .init(.adapterDied, text)
    }
  }
}
