import ConformancePack
import ConformanceTranscript
import ConformanceVerdict
import HTTPValues
import JSONKit

/// Checks that each request has the form that standards demand of every client. If the mock could not parse a request,
/// the checks examine the bytes of the request.
extension CommonChecks {
  static let ofRequests: [String: Check] = [
    "one-fitting-host": oneFittingHost, "whole-line-ends": wholeLineEnds, "one-body-length": oneBodyLength,
    "typed-body": typedBody, "valid-percent-encoding": validPercentEncoding, "no-fragment": noFragment,
    "utf-8-body": utf8Body, "no-byte-order-mark": noByteOrderMark, "unique-member-names": uniqueMemberNames,
  ]

  static let oneFittingHost = check(
    "Each request has one Host field, with the authority of the URL that the subject was given."
  ) { request in
    let hosts = request.headers.values("Host")
    guard hosts.count == 1, let host = hosts.first else {
      return (request.isVersion10 || request.isCutShort) && hosts.isEmpty
        ? nil : ("one Host", hosts.isEmpty ? "none" : "\(hosts.count): \(hosts.joined(separator: ", "))")
    }
    guard let authority = request.targetAuthority ?? request.authority, !host.equalsIgnoringCase(authority) else {
      return nil
    }
    return ("the Host \(authority)", host)
  }

  static let wholeLineEnds = check("No line of the head of a request ends with CR or LF alone, or contains one.") {
    request in
    guard let lone = request.loneLineEnd else { return nil }
    return ("CR LF at the end of each line of the head", lone)
  }

  static let oneBodyLength = check("No request has both Content-Length and Transfer-Encoding.") { request in
    guard let coding = request.headers["Transfer-Encoding"], request.headers["Content-Length"] != nil else {
      return nil
    }
    return ("Content-Length or Transfer-Encoding", "both: Transfer-Encoding: \(coding)")
  }

  static let typedBody = check("Each body has a Content-Type.", about: "a request with a body") { request in
    guard !request.body.isEmpty else { return .skipped }
    return request.headers["Content-Type"] == nil ? .differs("a Content-Type", "none") : .fits
  }

  static let validPercentEncoding = check(
    "Each target is ASCII without spaces, and each % in it is followed by two hexadecimal digits."
  ) { request in
    request.badEscape.map { ("each % before two hexadecimal digits, and nothing that must be escaped", $0) }
  }

  static let noFragment = check("No target has a fragment.") { request in
    guard let mark = request.target.firstIndex(of: "#") else { return nil }
    return ("no fragment", String(request.target[mark...]))
  }

  static let utf8Body = check("Each body of JSON is UTF-8.", about: jsonBody) { request in
    guard request.isJSON else { return .skipped }
    if request.body.contains(0) { return .differs("UTF-8", "NUL bytes, as in UTF-16") }
    return String(validating: request.body, as: UTF8.self) == nil ? .differs("UTF-8", "other bytes") : .fits
  }

  static let noByteOrderMark = check("No body of JSON begins with a byte order mark.", about: jsonBody) { request in
    guard request.isJSON else { return .skipped }
    guard let mark = Octets(request.body).byteOrderMark else { return .fits }
    return .differs("no byte order mark", "the byte order mark of \(mark)")
  }

  static let uniqueMemberNames = check("No object in a body of JSON has two members of one name.", about: jsonBody) {
    request in
    guard request.isJSON, let value = Octets(request.body).json else { return .skipped }
    return value.repeatedName.map { .differs("names that are unique", "'\($0)' twice") } ?? .fits
  }

  private static let jsonBody = "a request with a body of JSON"

  /// The result of a check for one request.
  private enum Judgement {
    /// The request lacks the part that the check is about.
    case skipped
    case fits
    case differs(_ expected: String, _ observed: String)
  }

  /// A check of every request by `judgement`. If `judgement` skips every request, the check throws
  /// ``Check/NothingSeen`` with `what`.
  private static func check(
    _ text: String, about what: String, of judgement: @escaping @Sendable (JudgedRequest) -> Judgement
  ) -> Check {
    var check = Check(text: text) { evidence, _ in
      var findings: [Finding] = []
      var hasSeen = false
      for request in evidence.transcript.judgedRequests {
        switch judgement(request) {
        case .skipped: continue
        case .fits: break
        case .differs(let expected, let observed):
          findings.append(
            Finding(subject: request.subject, expected: expected, observed: observed, entries: [request.entry]))
        }
        hasSeen = true
      }
      guard hasSeen else { throw Check.NothingSeen(what) }
      return findings
    }
    check.isAboutEachRequest = true
    return check
  }

  private static func check(
    _ text: String, difference: @escaping @Sendable (JudgedRequest) -> (expected: String, observed: String)?
  ) -> Check {
    check(text, about: "a request") { request in
      difference(request).map { .differs($0.expected, $0.observed) } ?? .fits
    }
  }
}

extension JSON {
  /// The first member name that occurs twice in the same object, anywhere in the value; nil if each object has
  /// different names.
  fileprivate var repeatedName: String? {
    switch self {
    case .array(let elements): elements.lazy.compactMap(\.repeatedName).first
    case .object(let object): object.duplicateKey ?? object.members.lazy.compactMap(\.value.repeatedName).first
    default: nil
    }
  }
}
