import ConformanceVerdict
import Files
import Records

/// A run record as JUnit XML in one of two dialects (`spec/kit/junit-dialect.md`).
///
/// In the dialect `portable`, a document with all suites is valid in the two schemas of Jenkins. A document with only
/// one suite is also valid in the schema of Surefire. The schema of Ant contradicts these schemas, so a document cannot
/// be valid in all of them. A document in the dialect `rich` is valid in none of the schemas, but contains more
/// information for programs that check no schema.
package struct JUnitReport: Sendable {
  /// The options for the report, which a user can set.
  package struct Options: Hashable, Sendable {
    /// The folder that is written before paths of evidence: with `conform-report`, a path becomes
    /// `conform-report/a.jsonl`.
    package var attachmentBase: String
    package var rows: Rows
    package var dialect: Dialect

    package init(attachmentBase: String = "", rows: Rows = .verdict, dialect: Dialect = .portable) {
      self.attachmentBase = attachmentBase
      self.rows = rows
      self.dialect = dialect
    }
  }

  /// The dialect of the document.
  package enum Dialect: String, CaseIterable, Sendable {
    /// The dialect that most schemas, and most programs that read JUnit files, accept.
    case portable
    /// The portable dialect with an additional `message` in skipped test cases. Some CI systems, such as Azure, show
    /// only the message.
    case rich
  }

  /// The part of a record for which the report contains one test case.
  package enum Rows: String, CaseIterable, Sendable {
    /// Each requirement in each run of a case: one verdict.
    case verdict
    /// Each requirement in each dialect of the protocol. The result is the worst of the requirement's verdicts in that
    /// dialect.
    case requirement
  }

  /// The error if a record contains no verdicts. An empty report would look green.
  package struct Empty: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String { "the run record holds no verdict, and an empty JUnit report would look green" }
  }

  /// The name of the run, such as `beacon.sdk`.
  let name: String
  let suites: [JUnitSuite]

  package init(_ record: RunRecord, options: Options = Options()) throws(Empty) {
    suites = JUnitMapping(record: record, options: options).suites
    if suites.isEmpty { throw Empty() }
    let roles = Set(record.rulings.map(\.rule.role))
    let role = roles.count == 1 ? roles.first : nil
    name = role.map { "\(record.header.protocolName).\($0)" } ?? record.header.protocolName
  }

  /// Writes one document with all suites to the file at this path.
  package func write(to path: String) throws { try write(to: OutputFile(path)) }

  /// Writes one document with all suites to an empty file, and closes the file.
  package func write(to file: OutputFile) throws {
    var writer = try XMLWriter(file)
    write(to: &writer)
    try writer.finish()
    try file.finish()
  }

  /// Writes one document for each suite into a folder, as `TEST-<suite>.xml`. Creates the folder if it is missing.
  /// Returns the paths of the documents.
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

  /// The schema for the dialect `portable`. It accepts a document with all suites and a document with one suite.
  package static func schema() throws(XMLSchema.Problem) -> XMLSchema {
    try XMLSchema(PackageResources.junit_portable_xsd)
  }
}
