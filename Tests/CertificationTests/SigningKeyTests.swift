import Testing

@testable import Certification

@Suite struct SigningKeyTests {
  private let message = Array("a statement".utf8)

  @Test func acceptsItsOwnSignatureAfterARoundTripThroughPEM() throws {
    let key = try SigningKey()
    let again = try SigningKey(pem: key.pem)
    let published = try VerificationKey(pem: key.publicKey.pem)
    #expect(published.accepts(try again.signature(of: message), of: message))
    #expect(published.id == key.publicKey.id)
    #expect(published.id.wholeMatch(of: /sha256:[0-9a-f]{64}/) != nil)
    #expect(String(decoding: key.pem, as: UTF8.self).hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
  }

  @Test func rejectsTheSignatureOfAnotherKeyOrMessage() throws {
    let key = try SigningKey()
    let signature = try key.signature(of: message)
    #expect(!(try SigningKey().publicKey.accepts(signature, of: message)))
    #expect(!key.publicKey.accepts(signature, of: message + [0]))
    for index in signature.indices {
      var changed = signature
      changed[index] ^= 1
      #expect(!key.publicKey.accepts(changed, of: message))
    }
    #expect(!key.publicKey.accepts([], of: message))
  }

  /// Signs as section 7.1 of RFC 8032 shows (TEST 2).
  @Test func signsAsTheStandardShows() throws {
    // The seed 4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb behind the header of PKCS#8.
    let pem = """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7
      -----END PRIVATE KEY-----

      """
    let signature = try SigningKey(pem: Array(pem.utf8)).signature(of: [0x72])
    #expect(signature.prefix(8) == [0x92, 0xA0, 0x09, 0xA9, 0xF0, 0xD4, 0xCA, 0xB8])
  }

  @Test func namesWhatIsNotTheKeyThatIsNeeded() throws {
    let key = try SigningKey()
    #expect(throws: KeyProblem.self) { try SigningKey(pem: Array("nothing".utf8)) }
    #expect(throws: KeyProblem.self) { try SigningKey(pem: Array(key.pem.prefix(60))) }
    #expect { try SigningKey(pem: key.publicKey.pem) } throws: { "\($0)".contains("found a public key") }
    #expect { try VerificationKey(pem: key.pem) } throws: { "\($0)".contains("found a private key") }
  }

  @Test func aPassphraseLocksAndUnlocks() throws {
    let key = try SigningKey()
    let passphrase = try Passphrase(line: Array("correct horse\r\n".utf8))
    let locked = try key.pem(lockedWith: passphrase)
    #expect(SigningKey.isLocked(pem: locked) && !SigningKey.isLocked(pem: key.pem))
    let again = try SigningKey(pem: locked, passphrase: Passphrase(line: Array("correct horse".utf8)))
    #expect(again.publicKey.id == key.publicKey.id)
    #expect { try SigningKey(pem: locked) } throws: { "\($0)".contains("the key has a passphrase") }
    #expect { try SigningKey(pem: key.pem, passphrase: passphrase) } throws: { "\($0)".contains("has no passphrase") }
    let other = try Passphrase(line: Array("correct house".utf8))
    #expect { try SigningKey(pem: locked, passphrase: other) } throws: { "\($0)".contains("does not fit the key") }
  }

  @Test(arguments: ["", "\n", "a\nb", "a\0b", String(repeating: "a", count: 1024)])
  func refusesWhatIsNoPassphrase(line: String) {
    #expect(throws: KeyProblem.self) { try Passphrase(line: Array(line.utf8)) }
  }
}
