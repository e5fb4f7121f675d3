import ConformanceModel
import JSONKit

/// Puts a placeholder in the place of secrets before anything is written down.
package struct Redaction: Sendable {
  /// A way to spell a secret, and what is written down instead.
  private struct Spelling {
    var text: String
    var placeholder: String
  }

  /// The literal values, longest first so that one inside another leaves no rest.
  private let secrets: [Spelling]

  /// A secret is also looked for as it stands in a JSON text and in a URL. `names` are those that secrets have as values
  /// lent to cases: evidence shows them, so that a claim can tell one secret from another.
  package init(secrets: [String] = [], names: [String: String] = [:]) {
    let named = Dictionary(names.sorted { $0.key < $1.key }.map { ($0.value, $0.key) }) { first, _ in first }
    let spellings = Set(secrets).sorted().flatMap { secret in
      [secret, String(JSON.string(secret).compactText.dropFirst().dropLast()), PercentEncoding.encode(secret)].map {
        Spelling(text: $0, placeholder: Self.placeholder(named[secret]))
      }
    }
    let distinct = Dictionary(spellings.map { ($0.text, $0) }) { first, _ in first }.values
    self.secrets = distinct.filter { !$0.text.isEmpty }.sorted {
      ($1.text.count, $0.text) < ($0.text.count, $1.text)
    }
  }

  /// What stands for a secret in evidence.
  package static func placeholder(_ name: String? = nil) -> String { name.map { "[redacted:\($0)]" } ?? "[redacted]" }

  /// The text without the secrets.
  package func callAsFunction(_ text: String) -> String {
    secrets.reduce(text) { $0.replacing($1.text, with: $1.placeholder) }
  }

  func callAsFunction(_ octets: Octets) -> Octets {
    guard !secrets.isEmpty else { return octets }
    if let text = String(validating: octets.bytes, as: UTF8.self) { return Octets(self(text).utf8) }
    // Bytes that are no text as a whole may still hold one.
    return Octets(secrets.reduce(octets.bytes) { $0.replacing(Array($1.text.utf8), with: Array($1.placeholder.utf8)) })
  }

  func callAsFunction(_ headers: HTTPHeaders) -> HTTPHeaders {
    HTTPHeaders(headers.fields.map { .init(name: $0.name, value: self($0.value)) })
  }

  func callAsFunction(_ bindings: Bindings) -> Bindings { Bindings(bindings.values.mapValues { self($0) }) }

  func callAsFunction(_ event: TranscriptEntry.Event) -> TranscriptEntry.Event {
    guard !secrets.isEmpty else { return event }
    switch event {
    case .request(let upstream, let record): return .request(upstream: upstream, self(record))
    case .sent(let label, let service, let record): return .sent(label: label, service: service, self(record))
    case .operated(let label, var operation):
      operation.params = self(operation.params)
      operation.outcome = self(operation.outcome)
      return .operated(label: label, operation)
    case .bound(let label, let value): return .bound(label: label, value: self(value))
    case .response(let upstream, let record): return .response(upstream: upstream, self(record))
    case .received(let label, let record): return .received(label: label, self(record))
    case .output(let octets): return .output(self(octets))
    case .command(var command):
      command.params = self(command.params)
      return .command(command)
    case .reply(let reply):
      return .reply(.init(id: reply.id, outcome: self(reply.outcome)))
    case .callback(let handle, let value): return .callback(handle: handle, value: self(value))
    case .malformed(let upstream, let connection, let reason, let octets):
      return .malformed(upstream: upstream, connection: connection, reason: reason, self(octets))
    case .failed(let label, var failure):
      failure.text = self(failure.text)
      failure.received = self(failure.received)
      return .failed(label: label, failure)
    case .breach(let text): return .breach(self(text))
    case .end(let ending): return .end(.init(ending.kind, self(ending.text)))
    default: return event
    }
  }

  private func callAsFunction(_ outcome: CommandOutcome) -> CommandOutcome {
    switch outcome {
    case .result(let value): return .result(self(value))
    case .error(var error):
      error.message = error.message.map { self($0) }
      return .error(error)
    case .noReply: return outcome
    }
  }

  private func callAsFunction(_ value: JSON) -> JSON {
    switch value {
    case .string(let text): .string(self(text))
    case .array(let elements): .array(elements.map { self($0) })
    case .object(let object):
      .object(JSON.Object(object.members.map { .init(key: self($0.key), value: self($0.value)) }))
    default: value
    }
  }

  private func callAsFunction(_ record: RequestRecord) -> RequestRecord {
    var record = record
    record.line = self(record.line)
    record.headers = self(record.headers)
    record.body = self(record.body)
    return record
  }

  private func callAsFunction(_ record: ResponseRecord) -> ResponseRecord {
    var record = record
    record.line = self(record.line)
    record.headers = self(record.headers)
    record.body = self(record.body)
    record.values = JSON.Object(record.values.members.map { .init(key: $0.key, value: self($0.value)) })
    return record
  }
}
