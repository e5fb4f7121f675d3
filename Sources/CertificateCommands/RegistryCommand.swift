import ArgumentParser
import Audit
import Certification
import CommandInterface
import ConformanceSpec
import ReportPages
import Templates
import TextKit

/// `conform registry`: maintains a folder of certificates that everyone can check.
package struct RegistryCommand: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "registry",
    abstract: "Keeps certificates in a folder that everyone can check, such as a git repository.",
    discussion: """
      Examples:
        conform registry init registry --key certifier.pub
        conform registry add registry my-sdk.conformance.tar
        conform registry list registry
        conform registry revoke registry 0123456789abcdef --reason "Another build."
        conform registry result registry 0123456789abcdef \\
          --record conform-report/run.jsonl
        conform registry check registry
        conform registry site registry --output public
      """,
    subcommands: [Init.self, Add.self, Revoke.self, Result.self, Check.self, List.self, Pages.self])

  package init() {}

  /// `conform registry init`.
  struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Makes an empty registry.")

    @Argument(help: ArgumentHelp("The folder of the new registry. It must be empty or not exist.", valueName: "folder"))
    var folder: String

    @Option(help: ArgumentHelp("The public key of an issuer. For several, repeat the option.", valueName: "file"))
    var key: [String] = []

    func validate() throws {
      guard !key.isEmpty else { throw ValidationError("give the public keys of the issuers with --key") }
    }

    func run() throws {
      let keys = try key.map { try KeyFile.verification($0) }
      guard Set(keys.map(\.id)).count == keys.count else {
        throw BadInput("--key: two files contain the same key: name each key once")
      }
      try RegistryFolder.make(folder, trusting: keys)
      Terminal.output("wrote \(folder): it lists what \(keys.map(\.id).joined(separator: " or ")) signed\n")
    }
  }

  /// `conform registry add`.
  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Verifies a bundle, and adds it to the registry.")

    @Argument(help: ArgumentHelp("The folder of the registry.", valueName: "folder"))
    var folder: String

    @Argument(help: ArgumentHelp("The bundle that 'conform certify' wrote.", valueName: "bundle"))
    var bundle: String

    @OptionGroup var sourceOptions: SourceOptions

    func run() async throws {
      var registry = try RegistryFolder(folder)
      let (new, reasons) = try await registry.newEntry(for: bundle, at: .now, sourceOptions)
      for reason in reasons { Terminal.output("not added: \(reason)\n") }
      guard let entry = new else { throw Finished(code: .violations) }
      try registry.add(entry, from: bundle)
      Terminal.output("added \(entry.line(at: .now))\n")
    }
  }

  /// `conform registry revoke`.
  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Revokes a certificate.")

    @Argument(help: ArgumentHelp("The folder of the registry.", valueName: "folder"))
    var folder: String

    @Argument(help: ArgumentHelp("The id of the certificate, as 'list' shows it.", valueName: "id"))
    var id: String

    @Option(help: ArgumentHelp("The reason, as a sentence.", valueName: "text"))
    var reason: String

    func validate() throws {
      guard !reason.allSatisfy(\.isWhitespace) else {
        throw ValidationError("--reason expects a sentence, found an empty text")
      }
    }

    func run() throws {
      var registry = try RegistryFolder(folder)
      try registry.revoke(id, .init(reason: reason, date: .now))
      Terminal.output("revoked \(id)\n")
    }
  }

  /// `conform registry result`.
  struct Result: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Notes the result of a later run. The certificate is relegated if runs fail for the days of the tier.")

    @Argument(help: ArgumentHelp("The folder of the registry.", valueName: "folder"))
    var folder: String

    @Argument(help: ArgumentHelp("The id of the certificate, as 'list' shows it.", valueName: "id"))
    var id: String

    @Option(help: ArgumentHelp("The record of a whole run of the same SDK or server.", valueName: "file"))
    var record: String

    @OptionGroup var sourceOptions: SourceOptions

    func run() async throws {
      var registry = try RegistryFolder(folder)
      let entry = try await registry.note(record, for: id, sourceOptions)
      Terminal.output("noted \(entry.line(at: .now))\n")
      for note in entry.notes { Terminal.output("                  \(note)\n") }
    }
  }

  /// `conform registry check`.
  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Verifies every certificate of a registry again. The exit code is 1 if a check fails.")

    @Argument(help: ArgumentHelp("The folder of the registry.", valueName: "folder"))
    var folder: String

    @OptionGroup var moment: MomentOptions
    @OptionGroup var sourceOptions: SourceOptions

    func run() async throws {
      let registry = try RegistryFolder(folder)
      let now = moment.now
      let problems =
        registry.strangers.map { "'certificates/\($0)' is not in the index" }
        + (try await registry.problems(at: now, sourceOptions))
      for entry in registry.index.entries {
        switch entry.status(at: now) {
        case .expiring, .grace: Terminal.output("renew: \(entry.line(at: now))\n")
        case .failing, .relegated: Terminal.output("later runs fail: \(entry.line(at: now))\n")
        case .valid, .expired, .revoked: break
        }
      }
      for problem in problems { Terminal.output("wrong: \(problem)\n") }
      let count = registry.index.entries.count
      let outcome = problems.isEmpty ? "all in order" : "problem".counted(problems.count)
      Terminal.output("checked \("certificate".counted(count)): \(outcome)\n")
      throw Finished(code: problems.isEmpty ? .conformant : .violations)
    }
  }

  /// `conform registry site`.
  struct Pages: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "site",
      abstract: "Writes the pages of a registry: a list, a page and a report for each certificate, and badges.")

    @Argument(help: ArgumentHelp("The folder of the registry.", valueName: "folder"))
    var folder: String

    @Option(help: ArgumentHelp("The folder of the pages.", valueName: "folder"))
    var output: String

    @Option(
      help: ArgumentHelp(
        "The address from which people get the bundles. Without this option, the bundles are beside the pages.",
        valueName: "url"))
    var address: String?

    @OptionGroup var moment: MomentOptions
    @OptionGroup var sourceOptions: SourceOptions

    func validate() throws {
      guard let address, !["https://", "http://"].contains(where: address.hasPrefix) else { return }
      throw ValidationError("--address expects an address that begins with https:// or http://, found '\(address)'")
    }

    func run() async throws {
      let (registry, now) = (try RegistryFolder(folder), moment.now)
      let place = try SiteFolder(output)
      let certificates = try await registry.certificates(at: now, address: address, sourceOptions)
      try place.write(
        RegistryPages(certificates, at: now.text).files(), registry.copies(for: certificates, address: address))
      Terminal.output("\(output)/index.html: \("certificate".counted(certificates.count))\n")
    }
  }

  /// `conform registry list`.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the certificates of a registry.")

    @Argument(help: ArgumentHelp("The folder of the registry.", valueName: "folder"))
    var folder: String

    @OptionGroup var moment: MomentOptions

    func run() throws {
      let registry = try RegistryFolder(folder)
      for entry in registry.index.entries {
        Terminal.output("\(entry.line(at: moment.now))\n")
        for note in entry.notes { Terminal.output("                  \(note)\n") }
      }
      if registry.index.entries.isEmpty { Terminal.output("the registry is empty\n") }
    }
  }
}

extension RegistryIndex.Entry {
  /// The entry as one line of output.
  func line(at now: Timestamp) -> String {
    let status = status(at: now).rawValue.padded(to: 9)
    return "\(id)  \(status)  until \(expires.text.prefix(10))  \(protocolName) \(tier)  "
      + subjects.joined(separator: " with ")
  }

  /// The revocation and the failed runs, one line for each.
  var notes: [String] {
    let revoked = revocation.map { "revoked \($0.date.text.prefix(10)): \($0.reason)" }
    return [revoked, failing?.text].compactMap(\.self)
  }
}
