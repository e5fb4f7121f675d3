import JSONKit
import Testing

@testable import Certification

@Suite struct EnvelopeTests {
  private let payload = Array("hello world".utf8)

  /// As the protocol of DSSE shows, with the type of in-toto.
  @Test func signsThePreAuthenticationEncoding() {
    let text = String(decoding: Envelope(payload: payload).signedBytes, as: UTF8.self)
    #expect(text == "DSSEv1 28 application/vnd.in-toto+json 11 hello world")
  }

  @Test func acceptsEachOfSeveralSignaturesAndNoOther() throws {
    let keys = [try SigningKey(), try SigningKey(), try SigningKey()]
    var envelope = Envelope(payload: payload)
    for key in keys.prefix(2) { try envelope.sign(with: key) }
    let read = try Envelope(JSONField(JSON(parsing: envelope.representation.compactText)))
    #expect(read == envelope)
    #expect(keys.map { read.isSigned(by: $0.publicKey) } == [true, true, false])
    var other = read
    other.payload.append(0)
    #expect(keys.allSatisfy { !other.isSigned(by: $0.publicKey) })
  }

  @Test(arguments: [
    #"{"payloadType":"text/plain","payload":"","signatures":[]}"#,
    #"{"payloadType":"application/vnd.in-toto+json","payload":"*","signatures":[]}"#,
    #"{"payloadType":"application/vnd.in-toto+json","payload":""}"#, "[]",
  ])
  func refusesWhatIsNoEnvelope(text: String) throws {
    let json = try JSON(parsing: text)
    #expect(throws: JSONField.Problem.self) { try Envelope(JSONField(json)) }
  }

  @Test func aFileHasOneForm() throws {
    var envelope = Envelope(payload: payload)
    try envelope.sign(with: SigningKey())
    #expect(try Envelope(file: envelope.file) == envelope)
    let text = String(decoding: envelope.file, as: UTF8.self)
    let others = [
      text + "\n", String(text.dropLast()), " " + text, "\u{FEFF}" + text, text.replacing(":[{", with: ": [{"),
      text.replacing("{\"payloadType\"", with: "{\"payload\":\"\",\"payloadType\""),
      text.replacing("]}", with: "],\"more\":1}"),
    ]
    for other in others { #expect(throws: (any Error).self, "\(other)") { try Envelope(file: Array(other.utf8)) } }
  }

  @Test func aKeyIDIsNotLongerThanADigest() throws {
    let key = String(repeating: "k", count: 72)
    let text =
      "{\"payloadType\":\"\(Envelope.payloadType)\",\"payload\":\"\",\"signatures\":[{\"keyid\":\"\(key)\"}]}\n"
    let problem = try #require(throws: JSONField.Problem.self) { try Envelope(file: Array(text.utf8)) }
    #expect("\(problem)".contains("$.signatures[0].keyid: expected at most 71 bytes, found 72 bytes"), "\(problem)")
  }

  @Test(arguments: [
    (17, "c2ln", "expected at most 16 signatures, found 17"),
    (1, "c2ln", "$.signatures[0].sig: expected an Ed25519 signature of 64 bytes, found 3 bytes"),
  ])
  func refusesSignaturesThatNoKeyMakes(count: Int, signature: String, says: String) throws {
    let one = "{\"keyid\":\"k\",\"sig\":\"\(signature)\"}"
    let text = """
      {"payloadType":"\(Envelope.payloadType)","payload":"","signatures":[\([String](repeating: one, count: count)
        .joined(separator: ","))]}

      """
    let problem = try #require(throws: JSONField.Problem.self) { try Envelope(file: Array(text.utf8)) }
    #expect("\(problem)".contains(says), "\(problem)")
  }

  @Test func takesTheSignatureOfAnotherToolOnlyIfItFits() throws {
    let key = try SigningKey()
    var envelope = Envelope(payload: payload)
    let foreign = try key.signature(of: payload)
    #expect(throws: KeyProblem.self) { try envelope.add(anyOf: [foreign], by: key.publicKey, named: "it") }
    let own = try key.signature(of: envelope.signedBytes)
    try envelope.add(anyOf: [foreign, own], by: key.publicKey, named: "it")
    #expect(envelope.isSigned(by: key.publicKey) && envelope.signatures.count == 1)
    #expect { try envelope.sign(with: key) } throws: { "\($0)".contains("has already signed") }
  }
}
