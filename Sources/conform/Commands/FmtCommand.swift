import ArgumentParser
import CommandInterface
import ConformanceModel
import ConformanceSpec
import Files
import Format
import Records

/// `conform fmt`: writes the files of a catalogue in their canonical form.
struct FmtCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fmt",
    abstract: "Writes the files of a catalogue, or baselines, in their canonical form.",
    discussion: """
      Examples:
        conform fmt --root .             rewrite files that differ
        conform fmt --root . --check     list files that differ
        conform fmt --root . --upgrade   rewrite files of an older version
        conform fmt baseline.yaml --upgrade
                                         rewrite a baseline of an older version
      """)

  @Argument(
    help: ArgumentHelp(
      "Baseline files. Without them, the files of the catalogue are rewritten.", valueName: "baselines"),
    completion: .file())
  var baselines: [String] = []

  @OptionGroup var catalogueOptions: CatalogueOptions

  @Flag(help: "Do not change files. List the files that are not canonical; if there are any, the exit code is 2.")
  var check = false

  @Flag(
    help: """
      Rewrite files of an older version in the current version. Before that, rewrite protocol.yaml by hand, because a \
      program cannot know the new members of this file for services, roles and times.
      """)
  var upgrade = false

  func run() async throws {
    guard baselines.isEmpty else { return try await rewriteBaselines() }
    let source = try catalogueOptions.source()
    let (folder, name) = (source.folder, source.name)
    try folder.refuseExcess(of: name)
    var open = 0
    let files =
      try upgrade
      ? Upgrade.files(of: name, in: folder, schemas: SchemaSet(source.schemaFolder)) : Formatter(folder).files(of: name)
    for file in files {
      for diagnostic in check ? file.complaints : file.diagnostics {
        Terminal.output("\(diagnostic)\n")
        open += 1
      }
      if !check, file.firstChange != nil { try rewrite(file, in: source) }
    }
    guard open == 0 else { throw Finished(code: .badInput) }
  }

  private func rewriteBaselines() async throws {
    let source = try catalogueOptions.source()
    let catalogue = try await source.catalogue()
    var open = 0
    for file in baselines {
      let old = try InputFile.contents(of: file, atMost: Bounds.fileBytes)
      let new =
        try upgrade
        ? BaselineUpgrade.text(of: old, file: file, schemas: source.schemaFolder, catalogue)
        : BaselineFile(old, file: file, schemas: source.schemaFolder, catalogue).baseline.text
      guard Array(new.utf8) != old else { continue }
      open += 1
      if check {
        Terminal.output("\(file): not in the canonical form; 'conform fmt \(file)' rewrites it\n")
      } else {
        try catalogueOptions.rewrite(file, as: new)
        Terminal.output("\(file): rewritten\n")
      }
    }
    guard open == 0 || !check else { throw Finished(code: .badInput) }
  }

  private func rewrite(_ formatted: Formatter.Formatted, in source: ProtocolSource) throws {
    // A file that the program contains is reported by its path in the repository.
    let isCarried = source.origin == .program
    let file = try OutputFile(isCarried ? "\(source.folder.root)/\(formatted.file)" : formatted.file)
    try file.write(formatted.text)
    try file.finish()
    Terminal.output("\(formatted.file): rewritten\n")
  }
}
