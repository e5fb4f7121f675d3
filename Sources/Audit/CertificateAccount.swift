import Certification
import TextKit

/// The sentences about the facts that a valid certificate proves, and about the facts that it does not prove.
package struct CertificateAccount {
  private let certificate: Certificate
  private let facts: RecordFacts
  private let findings: [SubmissionFinding]
  private let keys: [BundleVerification.Key]
  private let challenge: ChallengeFile?
  private let origin: BundledPack.Origin
  /// The capabilities of the protocol that an SDK or server did not report, by the name of the SDK or server.
  private let missing: [String: [String]]
  /// Whether the run took its seed from a challenge that the verifier named on the command line.
  private let answersChallenge: Bool

  package init(
    _ result: BundleVerification.Result, _ facts: RecordFacts, _ keys: [BundleVerification.Key],
    answersChallenge: Bool = false
  ) {
    self.answersChallenge = answersChallenge
    certificate = result.certificate
    findings = result.findings
    challenge = result.challenge
    origin = result.origin
    missing = result.missing
    self.facts = facts
    self.keys = keys
  }

  /// The subjects, the tier, the protocol and the last day of the certificate, in one line.
  package var title: String {
    let names = facts.participants.map { "\($0.subject.name) \($0.subject.version)" }.joined(separator: " with ")
    let header = facts.header
    return "\(names): tier '\(certificate.tier)' of \(header.protocolName) \(header.specRevision), until"
      + " \(certificate.expires.text.prefix(10))"
  }

  package var proven: [String] {
    let verdicts = facts.counts.values.reduce(0, +)
    var lines = [
      "\(keys.map(\.key.id).joined(separator: " and ")) signed this statement, and since then nothing in the bundle"
        + " changed but the list of signatures.",
      "Each verdict follows from the transcripts in the bundle: \("verdict".counted(verdicts)) in"
        + " \("case".counted(facts.cases)).",
      "The run was whole\(part), without selection and without baseline, and meets the tier '\(certificate.tier)'.",
    ]
    if let frozen = facts.frozen {
      lines.append("It keeps the frozen set '\(frozen.revision)': \(facts.scored) of the cases count.")
    }
    if !certificate.artifacts.isEmpty {
      let names = certificate.artifacts.map(\.name).joined(separator: ", ")
      lines.append("The issuer names these files by their digests: \(names).")
    }
    if answersChallenge {
      lines.append("The seed follows from the challenge, so it was unknown before.")
    } else if let challenge, let signer = challengeSigner {
      lines.append(
        "The seed follows from a challenge that \(signer) signed, so it was unknown before"
          + " \(challenge.challenge.issued.text).")
    }
    return lines
  }

  /// The end of a text: the part of the protocol that the run was about, such as " for the profile 'core'". Empty for
  /// the whole protocol.
  private var part: String {
    let profiles = facts.header.profiles.map { "'\($0)'" }
    if profiles.isEmpty { return "" }
    return " for the profile\(profiles.count == 1 ? "" : "s") \(profiles.joined(separator: " and "))"
  }

  /// The issuer's findings about the project. Each contains its place in the repository, or the issuer's attestation.
  package var claims: [String] { findings.map { $0.summary.visibleOnOneLine } }

  /// A sentence about the verdicts in the report that do not count for the certificate; nil if all verdicts count.
  package var note: String? {
    let later = facts.frozen.flatMap { frozen in
      facts.unscored > 0 ? "\("case".counted(facts.unscored)) later than the frozen set '\(frozen.revision)'" : nil
    }
    let disputes = facts.disputesWithVerdicts.map(\.rawValue).joined(separator: ", ")
    let ignored = [later, disputes.isEmpty ? nil : "the requirements under dispute (\(disputes))"].compactMap(\.self)
    guard !ignored.isEmpty else { return nil }
    return "not scored: \(ignored.joined(separator: ", and ")). The report judges them too, so it may say 'not"
      + " conformant' although the run is certified."
  }

  /// The sentence in ``unproven`` about the submission requirements. The certificate does not prove that the project
  /// meets them, because the findings rely on conventions and on statements of a person. Nil without any finding.
  private var projectDoubt: String? {
    guard !findings.isEmpty else { return nil }
    let seen = findings.count { $0.result == .found }
    let attested = findings.count { $0.result == .attested }
    return "The project meets its submission requirements: the issuer reports \(seen) submission requirements as found"
      + " in the repository, and \(attested) as attested."
  }

  /// The id of the verifier's key that signed the challenge in the bundle; nil if no such key signed it.
  private var challengeSigner: String? {
    keys.first { challenge?.envelope.isSigned(by: $0.key) == true }?.key.id
  }

  /// The sentence in ``unproven`` about the transcripts. The certificate does not prove that the transcripts come from
  /// a run. It proves their age only if the verifier named the challenge, or if a key of the verifier signed it.
  private var runDoubt: String {
    if answersChallenge || challengeSigner != nil {
      return "The transcripts are from a run: they are younger than the challenge, and anybody can write transcripts."
    }
    return challenge == nil
      ? "The transcripts are from a run, or from this time: no challenge was checked."
      : "The transcripts are from a run, or from this time: no key of --key signed the challenge in the bundle."
  }

  package var unproven: [String] {
    var lines = [
      runDoubt,
      certificate.artifacts.isEmpty
        ? "A certain build is the one that was run: the statement names no file of the SDK or server."
        : "The named files are what was run: the issuer says so.",
    ]
    for participant in facts.participants where !participant.build.files.isEmpty {
      let (name, count) = (participant.subject.name, "file".counted(participant.build.files.count))
      lines.append("The \(count) that the adapter of '\(name)' named are what it drove: the adapter says so.")
    }
    switch origin {
    case .kit: break
    case .unknownProtocol:
      lines.append(
        "The requirements are those of the document: this kit does not contain '\(facts.header.protocolName)', so they"
          + " come from the bundle; name your own files with --pack.")
    case .earlierRelease:
      lines.append(
        "The models of messages are those of the kit: it contains a later release of '\(facts.header.protocolName)', so"
          + " they come from the bundle. The requirements and cases are those of the kit's frozen set.")
    }
    for participant in facts.participants {
      let fact = "The adapter of '\(participant.subject.name)' calls the SDK and does not do its work: "
      switch participant.driving {
      case .notShown: lines.append(fact + "nothing shows it.")
      case .drives(let cases):
        lines.append(
          fact + "the issuer says that no mandatory requirement held in \("case".counted(cases)) with an SDK that is"
            + " broken on purpose, and the bundle has no evidence of that run.")
      case .answersWithout, nil: break
      }
    }
    let disputes = facts.disputesWithVerdicts.map(\.rawValue)
    if !disputes.isEmpty {
      lines.append("The requirements under dispute hold: \(disputes.joined(separator: ", ")) count neither way.")
    }
    if !facts.header.profiles.isEmpty { lines.append("The requirements hold that do not count\(part).") }
    let advisories = facts.counts[.advisory] ?? 0
    if advisories > 0 { lines.append("Nothing was observed that the gate does not demand: \(advisories) advisories.") }
    if !facts.header.withoutCase.isEmpty {
      let count = "requirement".counted(facts.header.withoutCase.count)
      lines.append("The requirements that no case judges hold: \(count).")
    }
    if facts.unscored > 0 {
      lines.append("The cases later than the frozen set conform: \("case".counted(facts.unscored)), not scored.")
    }
    for (name, capabilities) in missing.sorted(by: { $0.key < $1.key }) {
      let list = capabilities.joined(separator: ", ")
      lines.append("'\(name)' can do all that the protocol describes: it lacks \(list).")
    }
    if !facts.notApplied.isEmpty {
      let count = "requirement".counted(facts.notApplied.count)
      let names = facts.notApplied.map(\.rawValue).joined(separator: ", ")
      lines.append(
        "The requirements that do not apply to what was run hold: the result is partial, without \(count) (\(names)).")
    }
    return lines + [projectDoubt].compactMap(\.self)
  }
}
