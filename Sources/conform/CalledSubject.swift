import ConformanceBench
import ConformanceData
import ConformanceModel
import ConformanceRunner
import ConformanceSpec
import ConformanceTLS
import ConformanceWire
import FoundationEssentials

/// A subject that is called, as the command line gives it: URLs, a provisioning or binding file, or both, of which the
/// URLs win.
struct CalledSubject: Sendable {
  var urls: [ServiceName: String]
  var provisioning: Provisioning
  /// The provisioning or binding file, and its folder.
  var file: String?
  var folder: String
  /// What log-in requests of the file obtain in the course of the run.
  let obtained = ObtainedSecrets()
  /// The words of the protocol, which no secret takes from the evidence.
  let vocabulary: Set<String>

  /// nil when the options name none. `role` is the one that the subject plays.
  init?(_ options: SubjectOptions, as role: Role?, schemas: CatalogueFolder, _ catalogue: Catalogue) throws {
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
      folder = file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
    }
    urls = provisioning.urls
    for (service, url) in named { urls[service] = url }
  }

  /// The reference backend of a pack; nil where it has none.
  init?(referenceOf pack: ProtocolPack, schemas: CatalogueFolder, _ catalogue: Catalogue) throws {
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

  /// The same, started with these variables besides.
  func started(with variables: [String: String]) -> CalledSubject {
    var subject = self
    for (name, value) in variables {
      subject.provisioning.start?.environment[name] = Template(.literal(.string(value)), source: .string(value))
    }
    return subject
  }

  /// The service that `NAME=URL` or a URL alone is about.
  private static func service(
    of text: String, in definition: ProtocolDefinition
  ) throws -> (ServiceName, String) {
    let offered = Set(definition.roles.flatMap(\.ports.downstream)).sorted()
    let name = text.prefix { $0 != "=" && $0 != ":" && $0 != "/" }
    if name.count < text.count, text[name.endIndex] == "=" {
      let service = ServiceName(String(name))
      guard offered.contains(service) else {
        throw BadInput(
          "--server names the service '\(service)'; those that can be called are "
            + offered.map(\.rawValue).joined(separator: ", "))
      }
      return (service, String(text[text.index(after: name.endIndex)...]))
    }
    guard offered.count == 1 else {
      let all = offered.map { "--server \($0)=URL" }.joined(separator: " ")
      throw BadInput("--server wants NAME=URL, since there are several services: \(all)")
    }
    return (offered[0], text)
  }

  /// What must not be written down: the file's secrets, and the user information in the URLs.
  var secrets: [String] { provisioning.secrets + urls.values.flatMap(Self.userInformation) }

  /// The names that secrets have as values lent to cases.
  var secretNames: [String: String] { provisioning.values.values.compactMapValues(\.string) }

  var redaction: Redaction {
    Redaction(secrets: secrets, names: secretNames, vocabulary: vocabulary, obtained: obtained)
  }

  /// `name:password` of `http://name:password@host/`, and both alone where they are not too short to be secrets.
  static func userInformation(of url: String) -> [String] {
    guard let information = URLText.userInfo(of: url) else { return [] }
    return [information]
      + information.split(separator: ":").map(String.init).filter { $0.count >= Provisioning.shortestSecret }
  }

  /// The subject, once it is known to answer HTTP.
  func plugIn(
    _ role: Role, _ catalogue: Catalogue, dialects: [Dialect], _ conditions: Testbed.Conditions
  ) async throws -> Testbed.Called {
    let client = try client()
    let ports = catalogue.definition.ports(of: role)
    if provisioning.start == nil { try checkURLs(ports) }
    do {
      let called = try await Testbed.Called.lent(
        role, by: provisioning, urls: urls, folder: folder, client: client, catalogue: catalogue, dialects: dialects,
        tls: conditions.tls, obtained: obtained, locale: .drawn(by: conditions.seed))
      // What the kit starts itself has answered by now, and a backend may be asked for what it knows only.
      if provisioning.start == nil { try await knock(urls, client) }
      return called
    } catch let problem as ProvisioningProblem {
      // One that knows its place names the file itself.
      throw problem.place == nil ? badInput(problem.text) : BadInput(redaction("\(problem)"))
    } catch let failure as AdapterFailure {
      throw badInput("\(failure)")
    }
  }

  /// What is wrong with the subject, and with which file.
  private func badInput(_ text: String) -> BadInput {
    BadInput(redaction((file.map { "\($0): " } ?? "") + text))
  }

  private func checkURLs(_ ports: Ports) throws {
    let missing = ports.downstream.filter { urls[$0] == nil }
    guard missing.isEmpty else {
      let names = missing.map(\.rawValue).joined(separator: ", ")
      throw badInput("nobody said where \(names) listens: give it with --server, or as 'url' or 'urls' in the file")
    }
  }

  /// Finds out whether anything speaks HTTP there. What it says does not matter: the cases judge it.
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

  /// What to do, where the failure does not say so itself.
  private static func advice(_ kind: WireFailure.Kind) -> String? {
    switch kind {
    case .refused, .unreachable: "start it, or correct the URL"
    case .tls: nil
    case .timeout: "see whether it hangs"
    case .malformed, .closed, .reset, .tooLarge: "is this the port of an HTTP/1.1 server?"
    }
  }
}
