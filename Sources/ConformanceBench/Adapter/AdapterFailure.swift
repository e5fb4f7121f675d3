import ConformanceModel

/// Why an adapter could not be started, or cannot be asked any more.
package struct AdapterFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The ways it fails.
  package enum Kind: String, CaseIterable, Sendable {
    /// The text of the command cannot be split into words.
    case command
    /// The program cannot be started.
    case start
    /// It answers `hello`, but not so that the kit can work with it.
    case handshake
    /// The machine lacks what is needed to start it.
    case machine
    /// It ended without being asked.
    case died
    /// It did not reply within its limit.
    case hung
    /// It broke the adapter protocol in a way that leaves the question open.
    case broke
    /// The kit ended it.
    case ended
  }

  package var kind: Kind
  /// What was found, what was expected and what to do, for a person.
  package var text: String

  package init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  package var description: String { text }

  /// Whether the adapter's own code must change; not where it cannot be started.
  package var isOfAdapter: Bool { [.handshake, .died, .hung, .broke].contains(kind) }

  /// How a case ends that meets this failure.
  var ending: TranscriptEntry.Ending {
    switch kind {
    case .hung: .init(.adapterHung, text)
    case .broke, .handshake: .init(.adapterBroke, text)
    case .machine: .init(.machine, text)
    case .command, .start, .died, .ended: .init(.adapterDied, text)
    }
  }
}
