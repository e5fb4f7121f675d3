import ConformanceVerdict
import Files
import Records

/// A run record as JUnit XML in one of two dialects (`spec/kit/junit-dialect.md`).
///
/// In the dialect `portable` a single document is valid in the two Jenkins schemas, and one document for each suite
/// also in Surefire's. No document can be valid in more of the schemas in use. A document in `rich` is valid in none of
/// them, and has more information for readers without a schema.
package struct JUnitReport: Sendable {
  /// The choices of a user.
  package struct Options: Hashable, Sendable {
    /// The folder that paths of evidence are written relative to: `conform-report` makes `conform-report/a.jsonl`.
    package var attachmentBase: String
    package var rows: Rows
    package var dialect: Dialect

    package init(attachmentBase: String = "", rows: Rows = .verdict, dialect: Dialect = .portable) {
      self.attachmentBase = attachmentBase
      self.rows = rows
      self.dialect = dialect
    }
  }

  /// The form of the document.
  package enum Dialect: String, CaseIterable, Sendable {
    /// The form that most schemas and readers accept.
    case portable
    /// The portable form with a `message` on skipped test cases, for readers such as Azure that show only the message.
    case rich
  }

  /// The unit that a test case of the report represents.
  package enum Rows: String, CaseIterable, Sendable {
    /// A requirement in one run of a case.
    case verdict
    /// A requirement in one dialect, by the worst of its verdicts there.
    case requirement
  }

  /// A record without a single verdict: an empty report would look green.
  package struct Empty: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String { "the run record holds no verdict, and an empty JUnit report would look green" }
  }

  /// The name of the run: `beacon.sdk`.
  let name: String
  let suites: [JUnitSuite]

  package init(_ record: RunRecord, options: Options = Options()) throws(Empty) {
    suites = JUnitMapping(record: record, options: options).suites
    if suites.isEmpty { throw Empty() }
    let roles = Set(record.rulings.map(\.rule.role))
    let role = roles.count == 1 ? roles.first : nil
    name = role.map { "\(record.header.protocolName).\($0)" } ?? record.header.protocolName
  }

  /// Writes one document with all suites to exactly this file.
  package func write(to path: String) throws { try write(to: OutputFile(path)) }

  /// Writes one document with all suites to an empty file, and closes it.
  package func write(to file: OutputFile) throws {
    var writer = try XMLWriter(file)
    write(to: &writer)
    try writer.finish()
    try file.finish()
  }

  /// Writes one document for each suite, `TEST-<suite>.xml`, into a folder, which is made if necessary. Returns their
  /// paths.
  package func writeSplit(into folder: String) throws -> [String] {
    try Disk.makeFolders(folder)
    return try suites.map { suite in
      let path = "\(folder)/TEST-\(suite.name.replacing("/", with: "_")).xml"
      let file = try OutputFile(path)
      var writer = try XMLWriter(file)
      writer.write(suite)
      try writer.finish()
      try file.finish()
      return path
    }
  }

  func write(to writer: inout XMLWriter) {
    writer.start("testsuites")
    writer.attribute("name", XMLText(name))
    writer.write(suites.map(\.counts).reduce(JUnitSuite.Counts(), +))
    for suite in suites { writer.write(suite) }
    writer.end()
  }

  /// The schema of the dialect, for both forms.
  package static func schema() throws(XMLSchema.Problem) -> XMLSchema {
    try XMLSchema(PackageResources.junit_portable_xsd)
  }
}
