import Certification
import HTTPValues
import JSONKit

extension FuzzedReader {
  /// The readers of bundles, envelopes and registries.
  static var certificates: [FuzzedReader] {
    [
      FuzzedReader(name: "bundle", tokens: bundleTokens, realInputs: [], read: bundle),
      FuzzedReader(name: "envelope", tokens: jsonTokens + envelopeTokens, realInputs: [], read: envelope),
      FuzzedReader(name: "registry", tokens: jsonTokens + ["\n", "\"registry\":1", "\"revoked\":"], realInputs: []) {
        bytes throws(Violation) in
        guard let index = try? RegistryIndex(String(decoding: bytes, as: UTF8.self)) else { return }
        guard (try? RegistryIndex(index.text)) == index else { throw Violation("written again as another index") }
      },
    ]
  }

  /// Checks an archive that the reader accepts. The kit must write exactly the same archive from the files in it.
  private static func bundle(_ bytes: [UInt8]) throws(Violation) {
    var files: [(name: String, bytes: [UInt8])]?
    try InputPath.with(bytes) { files = try? Self.files(at: $0) }
    guard let files else { return }
    var again: [UInt8] = []
    let tar = TarWriter { again += $0 }
    do {
      for file in files { try tar.add(file.name, file.bytes) }
      try tar.finish()
    } catch {
      throw Violation("accepted with a file that cannot be written: \(error)")
    }
    guard again == bytes else { throw Violation("accepted, and written again as other bytes") }
  }

  private static func files(at path: String) throws -> [(name: String, bytes: [UInt8])] {
    var reader = try TarReader(path)
    var files: [(name: String, bytes: [UInt8])] = []
    while let file = try reader.next() { files.append(file) }
    return files
  }

  /// Checks an envelope that the reader accepts. If the kit writes it and reads it again, the result must be equal.
  /// Also reads its payload.
  private static func envelope(_ bytes: [UInt8]) throws(Violation) {
    guard let value = try? JSON(parsing: bytes) else { return }
    for type in [Envelope.payloadType, Challenge.payloadType] {
      guard let envelope = try? Envelope(JSONField(value), type: type) else { continue }
      guard (try? Envelope(JSONField(envelope.representation), type: type)) == envelope else {
        throw Violation("written again as another envelope")
      }
      guard let payload = try? JSON(parsing: envelope.payload) else { continue }
      _ = try? Certificate(statement: JSONField(payload))
      _ = try? Challenge(JSONField(payload)).seed
    }
    // The input is also read as a payload without an envelope, since mutations rarely result in valid base64.
    _ = try? Certificate(statement: JSONField(value))
    _ = try? Challenge(JSONField(value)).seed
    _ = try? SubmissionFinding.list(JSONField(value))
  }

  private static let bundleTokens = [
    "run.jsonl", "evidence", "evidence/", "../", "/", "\u{0}", "ustar", "00000000000", "77777777777", "0000644", "5",
    "2",
    String(repeating: "\u{0}", count: 512),
  ]
  private static let envelopeTokens = [
    "\"payloadType\":", "\"payload\":", "\"signatures\":[", "\"keyid\":", "\"sig\":", "\"subject\":[", "\"expires\":",
    "2026-02-30T25:61:61Z", "====", "\"nonce\":", "\"challenge\":1",
  ]
}
