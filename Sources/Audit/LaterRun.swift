import Certification
import CommandInterface
import ConformanceModel
import Templates
import TextKit

/// A run of an SDK or server that a registry lists. The run was made after the certificate of this SDK or server was
/// issued.
struct LaterRun {
  /// The path of the record.
  var record: String
  var facts: RecordFacts

  /// The note for the registry's index if the run failed; nil if the run is conformant. Throws ``BadInput`` if the run
  /// is of another SDK, server or protocol, if it began before the certificate was issued, or if it is too incomplete
  /// to judge the certificate in this tier.
  func failing(
    _ entry: RegistryIndex.Entry, _ tier: CertificationTier, _ definition: ProtocolDefinition
  ) throws -> RegistryIndex.Failing? {
    let began = try start(comparedWith: entry)
    if let omission = tier.omissions(of: facts, in: definition).first { throw BadInput("\(record): \(omission)") }
    if facts.conclusion?.word == .notConformant {
      return RegistryIndex.Failing(since: began, relegated: tier.relegationDays.map(began.adding), reason: reason)
    }
    guard let doubt = tier.failures(of: facts).first else { return nil }
    throw BadInput("\(record): \(doubt), so the run neither confirms nor refutes the certificate")
  }

  /// The start of the run. Throws if the run is not of the SDK or server of the entry, or if it began before the
  /// certificate was issued.
  private func start(comparedWith entry: RegistryIndex.Entry) throws -> Timestamp {
    guard facts.header.protocolName == entry.protocolName else {
      throw BadInput("\(record): the run is about '\(facts.header.protocolName)', not '\(entry.protocolName)'")
    }
    let names = facts.participants.map(\.subject.name)
    let isSame = names.count == entry.subjects.count && zip(names, entry.subjects).allSatisfy { $1.hasPrefix($0 + " ") }
    guard isSame else {
      throw BadInput(
        "\(record): the run is of '\(names.joined(separator: " with "))', and the certificate of"
          + " '\(entry.subjects.joined(separator: " with "))'")
    }
    guard let began = Timestamp(facts.header.startedAt), began.milliseconds > entry.issued.milliseconds else {
      throw BadInput("\(record): the run began before the certificate was issued at \(entry.issued.text)")
    }
    if let since = entry.failing?.since, began.milliseconds <= since.milliseconds {
      throw BadInput("\(record): the run is not later than the failed run of \(since.text), which is noted already")
    }
    return began
  }

  private var reason: String {
    let failed = facts.countedDispositions.filter { $0.value.contains(.fail) }.map(\.key.rawValue).sorted()
    let more = failed.count > 5 ? " and \(failed.count - 5) more" : ""
    return "violated: \(failed.prefix(5).joined(separator: ", "))\(more)"
  }
}
