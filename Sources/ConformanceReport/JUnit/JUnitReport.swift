import ConformanceModel

/// A run record as JUnit XML in the dialect `portable` (`spec/kit/junit-dialect.md`).
///
/// As one document it is valid in the two Jenkins schemas, as a file a suite also in Surefire's; no document can be
/// valid in more of those in use.
package struct JUnitReport: Sendable {
  /// What a user may choose.
  package struct Options: Hashable, Sendable {
    /// The folder that paths of evidence are written relative to: `conform-report` makes `conform-report/a.jsonl`.
    package var attachmentBase: String
    package var rows: Rows

    package init(attachmentBase: String = "", rows: Rows = .verdict) {
      self.attachmentBase = attachmentBase
      self.rows = rows
    }
  }

  /// What a test case of the report stands for.
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

  /// Writes one document with all suites to a file that is empty, and closes it.
  package func write(to file: OutputFile) throws {
    var writer = try XMLWriter(file)
    write(to: &writer)
    try writer.finish()
    try file.finish()
  }

  /// Writes one document a suite, `TEST-<suite>.xml`, into a folder that is there; gives their paths.
  package func writeSplit(into folder: String) throws -> [String] {
    try suites.map { suite in
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
