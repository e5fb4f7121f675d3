import ArgumentParser
import ConformanceReport

/// The options that change the content of the JUnit file.
package struct JUnitOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "The meaning of a test case in a JUnit file: a verdict, or a requirement in one dialect.", valueName: "rows"))
  var junitRows = JUnitReport.Rows.verdict

  @Option(
    help: ArgumentHelp(
      """
      The dialect of a JUnit file: portable, or rich for Azure, which shows only the attribute 'message' of a skipped \
      test.
      """, valueName: "dialect"))
  var junitDialect = JUnitReport.Dialect.portable

  @Option(
    help: ArgumentHelp(
      """
      A folder that the kit writes before each path of evidence in a JUnit file. GitLab expects paths in the project.
      """, valueName: "folder"), completion: .directory)
  var junitAttachments: String?

  package var options: JUnitReport.Options {
    let base = String((junitAttachments ?? "").reversed().drop { $0 == "/" }.reversed())
    return JUnitReport.Options(attachmentBase: base, rows: junitRows, dialect: junitDialect)
  }
}

extension JUnitReport.Rows: ExpressibleByArgument {}
extension JUnitReport.Dialect: ExpressibleByArgument {}
