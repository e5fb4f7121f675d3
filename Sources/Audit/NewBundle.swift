import Certification
import CommandInterface
import Files
import Records
import TextKit

/// The files of a bundle that is about to be written.
package struct NewBundle {
  package var certificate: Envelope
  package var testResult: Envelope
  /// `findings.json`; nil if the tier has no submission requirements.
  var findings: [UInt8]?
  /// `challenge.json`; nil for a run without a challenge.
  var challenge: [UInt8]?
  /// The files of the protocol by their paths.
  var pack: [String: [UInt8]]
  /// `run.jsonl`.
  var record: [UInt8]
  /// The folder of the transcripts, and the names of the transcripts that the record refers to.
  var evidence: EvidenceFolder
  var names: [String]

  package init(
    certificate: Envelope, testResult: Envelope, findings: [UInt8]? = nil, challenge: [UInt8]? = nil,
    pack: [String: [UInt8]] = [:], record: [UInt8], evidence: EvidenceFolder, names: [String]
  ) {
    self.certificate = certificate
    self.testResult = testResult
    self.findings = findings
    self.challenge = challenge
    self.pack = pack
    self.record = record
    self.evidence = evidence
    self.names = names
  }

  /// Writes the bundle to a new file. Throws ``BadInput`` if the file exists, or if a file is one that a bundle cannot
  /// contain.
  package func write(to path: String) throws {
    do {
      try NewFile.make(path, mode: 0o644) { write in try add(to: TarWriter(write: write)) }
    } catch let problem as BundleProblem {
      throw BadInput("\(problem)")
    }
  }

  private func add(to tar: TarWriter) throws {
    try tar.add(BundleName.certificate, certificate.file)
    if let challenge { try tar.add(BundleName.challenge, challenge) }
    for name in names.sorted(by: { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }) {
      guard let file = try evidence.file(name) else {
        throw BadInput(
          "the evidence '\(name)' is not in '\(evidence.path)': name the record in the complete folder of its run")
      }
      try tar.add(BundleName.evidence + name, file.bytes)
    }
    if let findings { try tar.add(BundleName.findings, findings) }
    for name in pack.keys.sorted(by: { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }) {
      try tar.add(BundleName.pack + name, pack[name] ?? [])
    }
    try tar.add(BundleName.record, record)
    try tar.add(BundleName.testResult, testResult.file)
    try tar.finish()
  }
}

extension NewBundle {
  /// Copies the files and the signatures of an existing bundle.
  package init(_ bundle: OpenBundle) throws {
    certificate = try bundle.envelope(BundleName.certificate)
    testResult = try bundle.envelope(BundleName.testResult)
    findings = try bundle.contents(of: BundleName.findings)
    challenge = try bundle.contents(of: BundleName.challenge)
    record = try bundle.contents(of: BundleName.record) ?? []
    evidence = bundle.evidenceFolder
    names = Array(bundle.evidence)
    pack = try bundle.pack.reduce(into: [:]) { pack, name in
      pack[name] = try bundle.contents(of: BundleName.pack + name)
    }
  }
}
