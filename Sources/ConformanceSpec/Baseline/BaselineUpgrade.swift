import ConformanceModel
import ConformanceVerdict
import JSONKit
import SpecDocuments

/// Converts a baseline from version 2 of the format to the current version.
///
/// Merges entries if all their members except the covered requirements and cases are equal.
package struct BaselineUpgrade: Sendable {
  /// The members that decide whether old entries are merged: all of these must be equal.
  private struct Terms: Hashable {
    var dialects: [Dialect]
    var expects: [Baseline.Expectation]
    var reason: String
    var link: String?
    var expires: String?
    var condition: Baseline.Condition?
  }

  /// The version of the format from which files are converted.
  private static let formVersion = 2

  /// The file in the current format. If the file is already in the current format, returns its canonical form.
  package static func text(
    of bytes: [UInt8], file: String, schemas: CatalogueFolder, _ catalogue: Catalogue
  ) throws(CatalogueError) -> String {
    let document: SpecDocument
    do { document = try SpecDocument(file: file, bytes: bytes) } catch { throw CatalogueError([error]) }
    guard document.root.member("kit")?.value == .int(formVersion) else {
      return try BaselineFile(bytes, file: file, schemas: schemas, catalogue).baseline.text
    }
    var reader = FieldReader()
    let baseline = reader.oldBaseline(document)
    guard reader.problems.isEmpty else {
      throw CatalogueError(reader.problems.map { document.diagnostic($0, rule: "upgrade") })
    }
    let text = baseline.text
    // Errors that exist only in the current format are reported with their place in the new text.
    return try BaselineFile(Array(text.utf8), file: file, schemas: schemas, catalogue).baseline.text
  }

  /// One entry for each group of entries with equal terms, in the order of the first entry of each group.
  fileprivate static func merged(_ entries: [Baseline.Entry]) -> [Baseline.Entry] {
    var places: [Terms: Int] = [:]
    var merged: [Baseline.Entry] = []
    for entry in entries {
      let terms = Terms(
        dialects: entry.dialects, expects: entry.expects, reason: entry.reason, link: entry.link,
        expires: entry.expires, condition: entry.condition)
      if let place = places[terms] {
        merged[place].covers.merge(entry.covers) { one, other in one + other.filter { !one.contains($0) } }
      } else {
        places[terms] = merged.count
        merged.append(entry)
      }
    }
    return merged
  }
}

extension FieldReader {
  fileprivate mutating func oldBaseline(_ document: SpecDocument) -> Baseline {
    let entries = elements(document.root.member("known")).map { field in
      let id = RequirementID(text(required("requirement", of: field)))
      return Baseline.Entry(
        cause: id, covers: [id: [CasePattern(text(required("case", of: field)))]],
        dialects: texts(field.member("dialects")).map { Dialect($0) },
        expects: elements(required("expects", of: field)).map { oldExpectation($0) },
        reason: text(field.member("reason")), link: field.member("link").map { text($0) },
        expires: field.member("expires").map { text($0) },
        condition: field.member("when").map { when in
          .init(version: when.member("version").map { text($0) }, platform: when.member("platform").map { text($0) })
        })
    }
    return Baseline(protocolName: text(document.root.member("protocol")), entries: BaselineUpgrade.merged(entries))
  }

  private mutating func required(_ name: String, of field: JSONField) -> JSONField? {
    take { () throws(JSONField.Problem) in try field.required(name) }
  }

  private mutating func oldExpectation(_ field: JSONField) -> Baseline.Expectation {
    if let reason = field.member("unjudged") { return .unjudged(reason: normal(reason)) }
    return .finding(
      subject: normal(required("subject", of: field)), path: field.member("path").map { path($0) } ?? .root,
      expected: normal(required("expected", of: field)), observed: field.member("observed").map { normal($0) })
  }

  /// The text with placeholders for random values, as far as they can be recognised. In place of an address, the text
  /// contains `*`, because an old entry does not name the service with this address.
  private mutating func normal(_ field: JSONField?) -> String {
    Particulars().normal(text(field)).replacing("http://${address}", with: "*").replacing("${address}", with: "*")
  }
}
