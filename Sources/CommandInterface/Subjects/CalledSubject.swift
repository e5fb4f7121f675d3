import ConformanceBench
import ConformanceData
import ConformanceModel
import ConformancePack
import ConformanceProvisioning
import ConformanceRunner
import ConformanceSpec
import ConformanceTLS
import ConformanceTranscript
import ConformanceWire
import Files
import FoundationEssentials
import HTTPValues
import Processes
import Recording
import Subjects
import Templates
import TextKit

/// A server or backend under test, which the kit calls. Command-line options name its URLs, its provisioning or binding
/// file, or both. A URL in an option replaces the URL in the file.
package struct CalledSubject: Sendable {
  var urls: [ServiceName: String]
  package var provisioning: Provisioning
  /// The path of the provisioning or binding file, and its folder.
  var file: String?
  var folder: String
  /// The secrets that the kit obtains during the run. It gets them with the log-in requests that the file describes.
  let obtained = ObtainedSecrets()
  /// The words of the protocol. They stay in the evidence even if a secret is spelled like one of them.
  let vocabulary: Set<String>

  /// Returns nil if the options name no server or backend under test. `role` is the role of the subject.
  package init?(_ options: SubjectOptions, as role: Role?, schemas: CatalogueFolder, _ catalogue: Catalogue) throws {
    let definition = catalogue.definition
    guard options.namesCalled else { return nil }
    vocabulary = Redaction.vocabulary(of: catalogue)
    let named = try options.servers.map { try Self.service(of: $0, in: definition) }
    provisioning = Provisioning()
    folder = "."
    file = options.serverFile ?? options.backend
    if let file {
      provisioning = try ProvisioningFile(
        schemas, definition: definition, exchanges: catalogue.exchanges
      ).read(
        file, variables: ProcessInfo.processInfo.environment,
        for: .init(role: role, addressed: Set(named.map(\.0))))
      folder = PathParts(file).folder
    }
    urls = provisioning.urls
    for (service, url) in named { urls[service] = url }
  }

  /// The reference backend of a pack; nil if the pack has none.
  package init?(referenceOf pack: ProtocolPack, schemas: CatalogueFolder, _ catalogue: Catalogue) throws {
    let definition = catalogue.definition
    guard let binding = pack.binding, let role = definition.roles.first(where: \.ports.isBackend)?.role else {
      return nil
    }
    vocabulary = Redaction.vocabulary(of: catalogue)
    let name = "the binding file of the reference backend"
    provisioning = try ProvisioningFile(schemas, definition: definition, exchanges: catalogue.exchanges).read(
      binding, file: name, variables: [:], for: .init(role: role))
    urls = provisioning.urls
    file = name
    folder = ConformanceData.folderOfProgram
  }

  /// A copy whose program is started with these additional environment variables.
  func started(with variables: [String: String]) -> CalledSubject {
    var subject = self
    for (name, value) in variables {
      subject.provisioning.start?.environment[name] = Template(.literal(.string(value)), source: .string(value))
    }
    return subject
  }

  /// Parses `NAME=URL`, and returns the service and the URL. A URL without a name belongs to the only service that can
  /// be called.
  private static func service(
    of text: String, in definition: ProtocolDefinition
  ) throws -> (ServiceName, String) {
    let offered = Set(definition.roles.flatMap(\.ports.downstream)).sorted()
    let name = text.prefix { $0 != "=" && $0 != ":" && $0 != "/" }
    if name.count < text.count, text[name.endIndex] == "=" {
      let service = ServiceName(String(name))
      guard offered.contains(service) else {
        throw BadInput(
          "--server names the service '\(service)', which cannot be called; expected one of "
            + offered.map(\.rawValue).joined(separator: ", "))
      }
      return (service, String(text[text.index(after: name.endIndex)...]))
    }
    guard offered.count == 1 else {
      let all = offered.map { "--server \($0)=URL" }.joined(separator: " ")
      throw BadInput("--server expects NAME=URL, because there are several services: \(all)")
    }
    return (offered[0], text)
  }

  /// The secrets in the file, and the user information in the URLs.
  var secrets: [String] { provisioning.secrets + urls.values.flatMap(Self.userInformation) }

  /// Maps names to the values in the provisioning file. If a value is a secret, evidence shows the name in its place.
  var secretNames: [String: String] { provisioning.values.values.compactMapValues(\.string) }

  package var redaction: Redaction {
    Redaction(secrets: secrets, names: secretNames, vocabulary: vocabulary, obtained: obtained)
  }

  /// The texts `name:password`, `name` and `password` in the URL `http://name:password@host/`. Leaves out a name or a
  /// password that is too short to count as a secret.
  static func userInformation(of url: String) -> [String] {
    guard let information = URLText.userInfo(of: url) else { return [] }
    return [information]
      + information.split(separator: ":").map(String.init).filter { $0.count >= Provisioning.shortestSecret }
  }

  /// Connects the subject, and checks that it answers HTTP.
  func plugIn(
    _ role: Role, _ catalogue: Catalogue, dialects: [Dialect], _ conditions: RunConditions
  ) async throws -> Testbed.Called {
    let client = try client()
    let ports = catalogue.definition.ports(of: role)
    if provisioning.start == nil { try checkURLs(ports) }
    do {
      let called = try await Testbed.Called.lent(
        role, by: provisioning, urls: urls, folder: folder, client: client, catalogue: catalogue, dialects: dialects,
        tls: conditions.tls, obtained: obtained, locale: .drawn(by: conditions.seed))
      // A subject that the kit starts has answered already. Some backends must receive only requests that they know, so
      // such a subject is not asked again.
      if provisioning.start == nil { try await knock(urls, client) }
      return called
    } catch let problem as ProvisioningProblem {
      // If the problem has a place, its text already contains the name of the file.
      throw problem.place == nil ? badInput(problem.text) : BadInput(redaction("\(problem)"))
    } catch let failure as ProgramFailure {
      throw badInput("\(failure)")
    }
  }

  /// An error about the subject that begins with the path of its file.
  private func badInput(_ text: String) -> BadInput {
    BadInput(redaction((file.map { "\($0): " } ?? "") + text))
  }

  private func checkURLs(_ ports: Ports) throws {
    let missing = ports.downstream.filter { urls[$0] == nil }
    guard missing.isEmpty else {
      let names = missing.map(\.rawValue).joined(separator: ", ")
      throw badInput("the address of \(names) is missing: give it with --server, or as 'url' or 'urls' in the file")
    }
  }

  /// Checks that an HTTP server answers at each URL. Any answer is accepted here, since the cases judge the answers.
  private func knock(_ urls: [ServiceName: String], _ client: WireClient) async throws {
    for (_, url) in urls.sorted(by: { $0.key < $1.key }) {
      guard let address = ServerUnderTest.Address(url: url) else { continue }
      var request = HTTPRequest(method: "GET", target: address.basePath.isEmpty ? "/" : address.basePath)
      request.headers = provisioning.headers
      do throws(WireFailure) {
        _ = try await client.send(request, to: address.endpoint)
      } catch {
        let isHTTP = error.received.bytes.starts(with: "HTTP/1.".utf8)
        if isHTTP, error.kind != .timeout, error.kind != .tls { continue }
        let advice = Self.advice(error.kind).map { "; \($0)" } ?? ""
        throw badInput("no HTTP server answers at \(address.url): \(error.text)\(advice)")
      }
    }
  }

  private func client() throws -> WireClient {
    guard let trust = provisioning.trust else { return .verifying(limits: Testbed.serverLimits) }
    let file = trust.hasPrefix("/") ? trust : "\(folder)/\(trust)"
    do throws(WireFailure) {
      return try WireClient.trusting(file, limits: Testbed.serverLimits)
    } catch {
      throw BadInput("the provisioning file's 'trust': \(error.text)")
    }
  }

  /// The advice to the user about a failed connection; nil if the text of the failure already contains advice.
  private static func advice(_ kind: WireFailure.Kind) -> String? {
    switch kind {
    case .refused, .unreachable: "start it, or correct the URL"
    case .tls: nil
    case .timeout: "see whether it hangs"
    case .malformed, .closed, .reset, .tooLarge: "is this the port of an HTTP/1.1 server?"
    }
  }
}
