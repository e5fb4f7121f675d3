import ConformanceModel
import ConformanceVerdict
import JSONKit

extension Certificate {
  /// The in-toto statement that is signed. A verifier makes the same statement from the record and compares the two.
  package func statement(of facts: RecordFacts, in definition: ProtocolDefinition) -> JSON {
    let predicate = header(facts.header) + results(facts, definition) + times
    return statement(Self.predicateType, .object(compact: predicate))
  }

  /// The same result as an in-toto statement with the predicate `test-result`.
  ///
  /// The members `timestamp`, `warnings` and `failures` do not belong to this predicate. They are here for Conforma, a
  /// checker of in-toto statements, because its published policy for test results reads them. Conforma uses the name of
  /// the first configuration as the name of the test.
  package func testResult(of facts: RecordFacts) -> JSON {
    func names(_ wanted: Disposition) -> [String] {
      facts.countedDispositions.filter { $0.value.contains(wanted) }.map(\.key.rawValue).sorted()
    }
    let disputes = facts.disputesWithVerdicts.map(\.rawValue)
    let (warned, failed) = ((names(.advisory) + disputes).sorted(), names(.fail))
    return statement(
      Self.testResultType,
      .object(compact: [
        ("result", .string(facts.conclusion?.word == .conformant ? "PASSED" : "FAILED")),
        (
          "configuration",
          [
            [
              "name": .string("conform/\(facts.header.protocolName)/\(tier)"),
              "digest": ["sha256": .string(facts.header.packDigest)],
            ]
          ]
        ),
        ("timestamp", .string(issued.text)), ("warnings", .int(warned.count)), ("failures", .int(failed.count)),
        ("passedTests", .strings(names(.pass))), ("warnedTests", .strings(warned)), ("failedTests", .strings(failed)),
      ]))
  }

  private func statement(_ type: String, _ predicate: JSON) -> JSON {
    let record = Artifact(name: BundleName.record, digest: recordDigest)
    let subjects = ([record] + artifacts).map { artifact -> JSON in
      ["name": .string(artifact.name), "digest": ["sha256": .string(artifact.digest)]]
    }
    return .object(compact: [
      ("_type", .string(Self.statementType)), ("subject", .array(subjects)), ("predicateType", .string(type)),
      ("predicate", predicate),
    ])
  }

  private func header(_ header: RunRecord.Header) -> [(String, JSON?)] {
    [
      ("tier", .string(tier)), ("kit", .string(header.kit)), ("protocol", .string(header.protocolName)),
      ("specRevision", .string(header.specRevision)), ("packDigest", .string(header.packDigest)),
      ("roles", .strings(header.roles.map(\.rawValue))), ("dialects", .strings(header.dialects.map(\.rawValue))),
      ("profiles", header.profiles.isEmpty ? nil : .strings(header.profiles)),
      ("gate", .string(header.gate.rawValue)), ("seed", .string(String(header.seed))),
      ("startedAt", .string(header.startedAt)), ("withoutCase", .strings(header.withoutCase.map(\.rawValue))),
    ]
  }

  private func results(_ facts: RecordFacts, _ definition: ProtocolDefinition) -> [(String, JSON?)] {
    let requirements = facts.requirements.sorted { $0.key.rawValue < $1.key.rawValue }.map {
      ($0.key.rawValue, Optional(Self.json($0.value)))
    }
    return [
      ("clocks", .strings(facts.clocks.map(\.rawValue).sorted())),
      ("participants", .array(facts.participants.map { Self.json($0, definition) })), ("cases", .int(facts.cases)),
      ("frozen", facts.frozen.map { ["revision": .string($0.revision), "digest": .string($0.digest)] }),
      ("scored", facts.frozen.map { _ in .int(facts.scored) }),
      ("result", .string(facts.notApplied.isEmpty ? "pass" : "partial")),
      ("notApplied", facts.notApplied.isEmpty ? nil : .strings(facts.notApplied.map(\.rawValue))),
      (
        "disputed",
        facts.disputesWithVerdicts.isEmpty ? nil : .strings(facts.disputesWithVerdicts.map(\.rawValue))
      ),
      ("counts", Self.json(facts.counts)), ("requirements", .object(compact: requirements)),
    ]
  }

  private var times: [(String, JSON?)] {
    [
      ("challenge", challengeDigest.map(JSON.string)), ("findings", findingsDigest.map(JSON.string)),
      ("packFiles", packFilesDigest.map(JSON.string)),
      ("issuer", issuer.map(JSON.string)),
      ("issued", .string(issued.text)), ("expires", .string(expires.text)),
    ]
  }

  private static func json(_ counts: [Disposition: Int]) -> JSON {
    .object(compact: Disposition.allCases.map { ($0.rawValue, counts[$0].map(JSON.int)) })
  }

  private static func json(_ participant: RunRecord.Participant, _ definition: ProtocolDefinition) -> JSON {
    let subject = participant.subject
    return .object(compact: [
      ("role", .string(participant.role.rawValue)), ("name", .string(subject.name)),
      ("version", .string(subject.version)), ("language", subject.language.map(JSON.string)),
      ("platform", subject.platform.map(JSON.string)), ("capabilities", .strings(subject.capabilities)),
      ("lacks", .strings(participant.missingCapabilities(in: definition))),
      ("driving", participant.driving?.representation),
      ("package", participant.build.packageURL.map(JSON.string)),
      ("files", participant.build.files.isEmpty ? nil : participant.build.representation["files"]),
    ])
  }
}

extension RunRecord.Participant {
  /// The capabilities of the protocol for the role of this participant that the participant did not report.
  package func missingCapabilities(in definition: ProtocolDefinition) -> [String] {
    definition.capabilities(of: role).filter { !subject.capabilities.contains($0) }
  }
}
