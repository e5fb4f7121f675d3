import ArgumentParser
import ConformanceHistory
import TextKit

/// `conform history add`: adds the records of runs to a history.
struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Adds run records. If the history already contains a record, this record is not added again.",
    discussion: """
      The command adds all records, or none if one of them is bad. If a run has shards, merge them first.

      Examples:
        conform history add conform-report/run.jsonl
        conform history add nightly/*/run.jsonl --history nightly.sqlite
      """)

  @Argument(help: "Run records.")
  var records: [String]

  @OptionGroup var file: FileOptions

  func run() throws {
    // All records are read before the history is opened, so that a refused record does not leave a new file behind.
    let entries = try records.map { try HistoryEntry(readingFrom: $0) }
    let result = try History(file.path, mayCreate: true).add(entries)
    Output.write(lines: ["\(file.path): \(result.added) added, \(result.known) were there".visibleOnOneLine])
  }
}
