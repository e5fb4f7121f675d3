import ConformanceJudge
import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import HTTPValues
import JSONKit
import Templates

/// A request in the journal of a live server, with its answer.
package struct LiveEntry: Sendable {
  /// The part of a request that cannot be read, with the reason.
  package enum Problem: Hashable, Sendable, CustomStringConvertible {
    /// The bytes are not HTTP.
    case request(String)
    /// The body is not the JSON that its media type promises. Every finding about the body is a consequence of this
    /// problem.
    case body(String)

    package var description: String {
      switch self {
      case .request(let reason): "not HTTP: \(reason)"
      case .body(let reason): "the body is not JSON: \(reason)"
      }
    }
  }

  /// The number of the request, counted from 1 in the order in which answers ended.
  package var number = 0
  /// The time at which the whole request had arrived.
  package var at: Timestamp
  package var service: ServiceName
  /// The request with the name of its exchange. For bytes that are not HTTP, the line is empty and the body contains
  /// the bytes.
  package var request: RequestRecord?
  /// The answer; nil if no answer was sent.
  package var response: ResponseRecord?
  /// The name of the fault that changed the answer; nil if no fault changed the answer.
  package var fault: String?
  /// The time from the arrival of the request to the end of the answer.
  package var duration: Duration?
  /// The reason why the request cannot be read; nil for any other request.
  package var problem: Problem?
  package var violations: [RequestJudge.Violation] = []

  /// The name of the exchange that the request matches exactly; nil for any other request.
  package var exchange: String? { request.flatMap { $0.nearMiss == nil ? $0.exchange : nil } }

  /// Whether the request violates a requirement, matches no exchange exactly, or cannot be read.
  package var isViolation: Bool { !violations.isEmpty || problem != nil || request?.nearMiss != nil }
}

extension LiveEntry {
  /// The entry as JSON for the interface. The catalogue provides the sentences of violated requirements.
  func representation(_ requirements: Catalogue) -> JSON {
    var members: JSON.Object = [
      "number": .int(number), "at": .string(at.text), "service": .string(service.rawValue),
      "violations": .array(
        violations.map { violation in
          [
            "requirement": .string(violation.requirement.rawValue),
            "sentence": .string(requirements.requirement(violation.requirement)?.text ?? ""),
            "findings": .array(violation.findings.map { .string($0.difference) }),
          ]
        }),
    ]
    members["request"] = request.map { Self.message($0.line, $0.headers.fields, $0.body) }
    members["response"] = response.map { Self.message($0.line, $0.headers.fields, $0.body) }
    members["status"] = response.map { .int($0.status) }
    members["exchange"] = exchange.map { .string($0) }
    members["nearMiss"] = request?.nearMiss.map { .string($0) }
    members["fault"] = fault.map { .string($0) }
    members["milliseconds"] = duration.map { .number(Double($0 / .microseconds(100)).rounded() / 10) }
    members["problem"] = problem.map { .string("\($0)") }
    return .object(members)
  }

  private static func message(_ line: String, _ fields: [HTTPHeaders.Field], _ body: Octets) -> JSON {
    [
      "line": .string(line), "headers": .array(fields.map { .array([.string($0.name), .string($0.value)]) }),
      "body": .string(body.text),
    ]
  }
}

extension Finding {
  /// The finding as one line, without the number of its transcript entry: `$.body.screenWidth: expected integer,
  /// observed "1080"`.
  var difference: String { "\(path == .root ? subject : "\(path)"): expected \(expected), observed \(observed)" }
}
