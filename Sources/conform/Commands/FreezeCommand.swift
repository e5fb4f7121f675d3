import ArgumentParser
import CommandInterface
import Files
import FrozenSets
import Records
import Templates
import TextKit

/// `conform freeze`: writes the frozen set, which lists the requirements and cases for all certificates of a revision.
struct FreezeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "freeze",
    abstract: "Writes a frozen set: a file with the requirements and cases that count for certificates from now on.",
    discussion: """
      The frozen set is the file requirements/frozen/REVISION.yaml of the protocol. This file never changes. If a \
      requirement or a case is changed, 'conform lint' demands a new set. The revision of the new set ends with a \
      number, such as v3-2. If a case is added later, it runs, but it does not count for a certificate.

      Examples:
        conform freeze --root . --protocol NAME
        conform freeze --pack ./beacon
      """)

  @OptionGroup var catalogueOptions: CatalogueOptions

  func run() async throws {
    let source = try catalogueOptions.source()
    guard source.origin != .program else {
      throw BadInput("the data of the program cannot change: name a folder with --root or --pack")
    }
    let catalogue = try await source.catalogue()
    let sets = try FrozenSets(of: source.name, in: source.folder)
    let revision = sets.nextRevision(after: catalogue.definition.revision)
    let set = FrozenSet(of: catalogue, revision: revision, since: String(Timestamp.now.text.prefix(10)))
    if let newest = sets.newest, newest.requirements == set.requirements, newest.cases == set.cases {
      return Terminal.output("nothing changed since the set '\(newest.revision)' was frozen\n")
    }
    let path = "\(source.folder.root)/\(FrozenSets.path(of: revision, source.name, in: source.folder))"
    try Disk.makeFolders(PathParts(path).folder)
    try NewFile.write(Array(set.text.utf8), to: path, mode: 0o644)
    Terminal.output(
      "wrote \(path): \("requirement".counted(set.requirements.count)), \("case".counted(set.cases.count))\n")
  }
}
