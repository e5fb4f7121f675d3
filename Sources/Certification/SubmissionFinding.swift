import JSONKit

/// The result of the search for one submission requirement.
package struct SubmissionFinding: Hashable, Sendable {
  package enum Result: String, CaseIterable, Sendable {
    case found
    case notFound = "not found"
    /// The inspection did not find it, but a person states that the SDK meets the requirement.
    case attested
  }

  /// The id of the submission requirement in its tier.
  package var id: String
  package var result: Result
  /// The observation of the inspection, or the statement of the person who attests.
  package var text: String
  /// The file in the repository, and the line number from 1.
  package var file: String?
  package var line: Int?

  package init(id: String, result: Result, text: String, file: String? = nil, line: Int? = nil) {
    self.id = id
    self.result = result
    self.text = text
    self.file = file
    self.line = line
  }

  /// The id, the result, the text and the place in the repository, in one line.
  package var summary: String {
    let place = file.map { file in " (\(file)\(line.map { ":\($0)" } ?? ""))" } ?? ""
    return "\(result.rawValue): \(id): \(text)\(place)"
  }

  /// Reads the findings from the content of `findings.json`.
  package static func list(_ field: JSONField) throws(JSONField.Problem) -> [SubmissionFinding] {
    var findings: [SubmissionFinding] = []
    for element in try field.required("findings").elements() { findings.append(try SubmissionFinding(element)) }
    return findings
  }

  /// The text of a file `findings.json` with these findings.
  package static func text(of findings: [SubmissionFinding]) -> String {
    JSON.object(compact: [("findings", .array(findings.map(\.representation)))]).compactText + "\n"
  }
}

extension SubmissionFinding: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("id", id)
    members.add("result", result.rawValue)
    members.add("text", text)
    members.add("file", file)
    members.add("line", line)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    id = try field.required("id").string()
    result = try field.required("result").word(Result.self)
    text = try field.required("text").string()
    file = try field.optional("file")?.string()
    line = try field.optional("line")?.int()
  }
}
