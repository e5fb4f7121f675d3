import Testing

@testable import Recording

/// The secrets in a command line, and the line without them.
@Suite struct CommandSecretsTests {
  @Test(
    arguments: [
      ("python3 a.py", [], "python3 a.py"),
      ("./a --password hunter2 --fast", ["hunter2"], "./a --password '[redacted]' --fast"),
      ("./a --api-key=abc", ["abc"], "./a '--api-key=[redacted]'"),
      ("API_TOKEN='a b' MODE=x ./a", ["a b", "b"], "API_TOKEN='[redacted]' MODE=x ./a"),
      ("./a API_SECRET_2=s3cr3t", ["s3cr3t"], "./a 'API_SECRET_2=[redacted]'"),
      ("./a --password --fast", [], "./a --password --fast"),
      ("./a --token-file /etc/token", [], "./a --token-file /etc/token"),
      ("./a --idempotency-key k1", [], "./a --idempotency-key k1"),
      ("./a -H 'Authorization: Bearer abc=='", ["Bearer abc==", "abc=="], "./a -H 'Authorization: [redacted]'"),
      ("./a -H 'X-Api-Key: abc'", ["abc"], "./a -H 'X-Api-Key: [redacted]'"),
      (
        "./a https://ann:pw@host/#accessToken=t1", ["ann:pw", "pw", "t1"],
        "./a 'https://[redacted]@host/#accessToken=[redacted]'"
      ),
      ("./a --token=https://h/x", ["https://h/x"], "./a '--token=[redacted]'"),
      ("./a http://ann:pw@host/x", ["ann:pw", "pw"], "./a 'http://[redacted]@host/x'"),
      (
        "./a '--url=https://h/x?a=1&accessToken=t1&b=2'", ["t1"],
        "./a '--url=https://h/x?a=1&accessToken=[redacted]&b=2'"
      ),
      ("./a 'unclosed --password x", [], "./a 'unclosed --password x"),
    ] as [(String, [String], String)])
  func aLineIsShownWithoutThem(line: String, values: [String], shown: String) {
    let secrets = CommandSecrets(line)
    #expect(secrets.values == values)
    #expect(secrets.shown == shown)
  }
}
