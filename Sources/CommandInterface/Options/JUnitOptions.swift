import ArgumentParser
import ConformanceReport

/// The options for the form of a JUnit document.
package struct JUnitOptions: ParsableArguments {
  package init() {}

  @Option(help: ArgumentHelp("What a row of a JUnit document is: a verdict or a requirement.", valueName: "rows"))
  var junitRows = JUnitReport.Rows.verdict

  @Option(
    help: ArgumentHelp(
      "The form of a JUnit document: portable, or rich for Azure, which shows the message of what is skipped.",
      valueName: "dialect"))
  var junitDialect = JUnitReport.Dialect.portable

  @Option(
    help: ArgumentHelp(
      "The folder that stands before each path of evidence in a JUnit document; GitLab wants paths in the project.",
      valueName: "folder"))
  var junitAttachments: String?

  /// The options of the report.
  package var options: JUnitReport.Options {
    let base = String((junitAttachments ?? "").reversed().drop { $0 == "/" }.reversed())
    return JUnitReport.Options(attachmentBase: base, rows: junitRows, dialect: junitDialect)
  }
}

extension JUnitReport.Rows: ExpressibleByArgument {}
extension JUnitReport.Dialect: ExpressibleByArgument {}
