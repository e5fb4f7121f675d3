import ArgumentParser
import ConformanceReport

/// The options that change the JUnit document.
package struct JUnitOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp("The content of a row of a JUnit document: a verdict or a requirement.", valueName: "rows"))
  var junitRows = JUnitReport.Rows.verdict

  @Option(
    help: ArgumentHelp(
      "The form of a JUnit document: portable, or rich for Azure, which shows messages of skipped tests.",
      valueName: "dialect"))
  var junitDialect = JUnitReport.Dialect.portable

  @Option(
    help: ArgumentHelp(
      "A folder to put before each path of evidence in a JUnit document. GitLab expects paths in the project.",
      valueName: "folder"))
  var junitAttachments: String?

  package var options: JUnitReport.Options {
    let base = String((junitAttachments ?? "").reversed().drop { $0 == "/" }.reversed())
    return JUnitReport.Options(attachmentBase: base, rows: junitRows, dialect: junitDialect)
  }
}

extension JUnitReport.Rows: ExpressibleByArgument {}
extension JUnitReport.Dialect: ExpressibleByArgument {}
