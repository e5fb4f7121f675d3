import ArgumentParser
import CommandInterface
import Records
import TextKit

/// `conform show`: prints a transcript in a readable form.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Prints the course of a case: every step, command and message.",
    discussion: """
      Examples:
        conform show 'conform-report/evidence/offline.capacity[101]@spec.jsonl'
        conform show evidence.jsonl --around 13    entry #13 and its neighbours
        conform show evidence.jsonl --headers      with the header fields of messages
      """)

  @Argument(help: "A transcript from the evidence folder of a run.", completion: .file())
  var transcript: String

  @Option(help: ArgumentHelp("Print only this entry and its neighbours.", valueName: "number"))
  var around: Int?

  @Option(help: ArgumentHelp("The number of neighbours on each side.", valueName: "number"))
  var distance = 5

  @Flag(help: "Print the header fields of messages, too.")
  var headers = false

  func run() throws {
    let file = try TranscriptFile(readingFrom: transcript)
    if let around, !(1...max(1, file.transcript.entries.count)).contains(around) {
      throw BadInput("\(transcript): there is no entry \(around); it has entries 1 to \(file.transcript.entries.count)")
    }
    let conversation = Conversation(
      showsHeaders: headers, around: around.map { (entry: $0, distance: max(0, distance)) })
    for line in conversation.lines(of: file.transcript) { Terminal.output("\(line)\n") }
    if let damage = file.damage { throw BadInput("\(transcript): \(damage)") }
  }
}
