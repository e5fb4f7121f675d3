import ArgumentParser
import ConformanceHistory
import ConformanceVerdict
import Foundation
import Records
import TextKit

/// `conform history export`: writes the records of a history to files, in the form that `conform site` reads.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Writes the records of one protocol into an empty folder.",
    discussion: """
      The files are run records with the same contents as the records that were added. But the digests of the files \
      differ from those of the added files.

      Example:
        conform history export --protocol my-protocol --output records
      """)

  @OptionGroup var file: FileOptions

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp(
      "The protocol. You can omit this option if the history has runs of only one protocol.", valueName: "name"))
  var protocolName: String?

  @Option(help: ArgumentHelp("The folder for the records.", valueName: "folder"))
  var output: String

  func run() throws {
    let history = try History(file.path, mayCreate: false)
    let name = try chosenProtocol(history.protocols())
    let names = try? FileManager.default.contentsOfDirectory(atPath: output)
    if names?.isEmpty == false {
      throw BadInput("the folder '\(output)' is not empty: name an empty or new one with --output")
    }
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    var number = 0
    try history.forEachRecord(of: name) { record in
      number += 1
      try write(record, to: "\(output)/\(String(repeating: "0", count: max(0, 6 - "\(number)".count)))\(number).jsonl")
    }
    Output.write(lines: ["\(output): \(number) records".visibleOnOneLine])
  }

  private func chosenProtocol(_ known: [String]) throws -> String {
    if let protocolName {
      guard known.contains(protocolName) else {
        throw BadInput(
          "the history '\(file.path)' has no run of the protocol '\(protocolName)': 'conform history list' shows its subjects"
        )
      }
      return protocolName
    }
    guard known.count != 1 else { return known[0] }
    throw BadInput(
      known.isEmpty
        ? "the history '\(file.path)' has no run: add a record first with 'conform history add'"
        : "the history '\(file.path)' has runs of \(known.joined(separator: ", ")): name one with --protocol")
  }

  private func write(_ record: RunRecord, to path: String) throws {
    let writer = try RunRecordWriter(path, header: record.header)
    for line in record.lines.dropFirst() { try writer.write(line) }
  }
}
