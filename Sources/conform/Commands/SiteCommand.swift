import ArgumentParser
import Audit
import CommandInterface
import ConformanceModel
import FoundationEssentials
import Records
import ReportPages
import Templates
import TextKit

/// `conform site`: writes a static dashboard of run records.
struct SiteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "site",
    abstract: "Writes a static dashboard of several runs: parity matrix, subjects, requirements, badges.",
    discussion: """
      You can open the site in a folder or on any web server. If several records name the same subject, they are runs \
      of this subject. NAME=RECORD gives the subject of a record a different name. The matrix shows the newest \
      version of each subject.

      Examples:
        conform site dart/run.jsonl kotlin/run.jsonl --output public
        conform site 'dart=1.2/run.jsonl' 'dart=1.3/run.jsonl' --output public
        conform site --history conform-history.sqlite --output public
        conform site dart/run.jsonl --registry certificates --output public
      """)

  @Argument(help: "Run records, or NAME=RECORD.", completion: .file())
  var records: [String] = []

  @Option(
    help: ArgumentHelp(
      "Include the runs of this history. The site lists runs with earlier packs, but its matrix does not contain them.",
      valueName: "file"), completion: .file())
  var history: String?

  @Option(
    help: ArgumentHelp(
      "Include the certificates of this registry: a page, a report and the bundle of each certificate.",
      valueName: "folder"), completion: .directory)
  var registry: String?

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp("The protocol, if the history has runs of several protocols.", valueName: "name"))
  var protocolName: String?

  @Option(help: ArgumentHelp("The folder of the site.", valueName: "folder"), completion: .directory)
  var output: String

  @Option(help: ArgumentHelp("The gate that contains the requirements which count.", valueName: "gate"))
  var gate = Gate.stated

  @OptionGroup var trustOptions: TrustOptions

  @OptionGroup var sourceOptions: SourceOptions

  func validate() throws {
    if records.isEmpty, history == nil { throw ValidationError("give records, or a history with --history") }
  }

  func run() async throws {
    let arguments = try records.map { try NamedRecord($0) }
    let given = try arguments.first.map { try RunRecordReader($0.path).header.protocolName } ?? protocolName
    let exported = try history.map { try HistoryProgram.records(of: $0, protocolName: given) }
    guard let name = try given ?? exported?.files.first.map({ try RunRecordReader($0).header.protocolName }) else {
      throw BadInput("the history '\(history ?? "")' has no run: add a record first with 'conform history add'")
    }
    let source = try sourceOptions.source(name)
    var sources = SiteSources(try await source.catalogue(), schemas: source.schemaFolder)
    try sources.add(arguments, trust: trustOptions)
    if let history, let exported { try sources.add(exported, of: history) }
    guard !sources.current.isEmpty else {
      throw BadInput("no run of the history '\(history ?? "")' was made with this pack: add a record of this pack")
    }
    let site = try Site(of: sources.current, earlier: sources.earlier, catalogue: sources.catalogue, gate: gate)
    guard !site.isEmpty else { throw BadInput("the records contain no case: run at least one, then write the site") }
    let folder = try SiteFolder(output)
    let (pages, copies) = try await registryPages()
    try folder.write(try site.files(hasCertificates: registry != nil) + pages, copies)
    Terminal.output("\(output)/index.html: \(site.extent)\n")
  }

  /// The pages about the certificates in the registry that `--registry` names, and the files to which these pages link.
  /// Both are empty if the option is missing.
  private func registryPages() async throws -> ([Site.File], [SiteFolder.Copy]) {
    guard let registry else { return ([], []) }
    let (folder, now) = (try RegistryFolder(registry), Timestamp.now)
    let certificates = try await folder.certificates(at: now, address: nil, sourceOptions)
    let pages = RegistryPages(certificates, at: now.text, isBesideDashboard: true)
    return (try pages.files(), folder.copies(for: certificates, address: nil))
  }
}

/// An argument of the form `RECORD` or `NAME=RECORD`. If a file with the whole argument as its path exists, the
/// argument has the form `RECORD`, even if it contains an equals sign.
struct NamedRecord: Sendable {
  var label: String?
  var path: String

  init(_ argument: String) throws(BadInput) {
    path = argument
    guard let equals = argument.firstIndex(of: "="), !FileManager.default.fileExists(atPath: argument) else { return }
    let name = String(argument[..<equals])
    if name.isEmpty { throw BadInput("'\(argument)' has no name before '='; write NAME=RECORD") }
    label = name
    path = String(argument[argument.index(after: equals)...])
  }
}
