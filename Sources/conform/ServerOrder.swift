import ConformanceBench
import ConformanceModel
import ConformanceRunner
import ConformanceSpec
import ConformanceWire
import FoundationEssentials

/// A server under test as the command line gives it: a URL, a provisioning file, or both, of which the URL wins.
struct ServerOrder: Sendable {
  var url: String
  var provisioning: Provisioning
  /// That of the provisioning file.
  var folder: String

  /// nil when the options name no server.
  init?(_ options: SubjectOptions, schemas root: String, definition: ProtocolDefinition) throws {
    guard options.server != nil || options.serverFile != nil else { return nil }
    provisioning = Provisioning()
    folder = "."
    if let file = options.serverFile {
      provisioning = try ProvisioningFile(CatalogueFolder(root: root), definition: definition)
        .read(file, variables: ProcessInfo.processInfo.environment)
      folder = file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
    }
    guard let url = options.server ?? provisioning.url else {
      throw BadInput("'\(options.serverFile ?? "")' has no 'url': add it, or give one with --server")
    }
    self.url = url
  }

  /// What must not be written down: the file's secrets, and the user information in the URL.
  var redaction: Redaction { Redaction(secrets: provisioning.secrets + Self.userInformation(of: url)) }

  /// `name:password` of `http://name:password@host/`, and both alone.
  static func userInformation(of url: String) -> [String] {
    guard let mark = url.firstRange(of: "://") else { return [] }
    let authority = url[mark.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return [] }
    let information = authority[..<at]
    return [String(information)] + information.split(separator: ":").map(String.init)
  }

  /// The server, once it is known to answer HTTP, and who talks to it.
  func plugIn() async throws -> (ServerUnderTest, WireClient) {
    let client = try client()
    guard ServerUnderTest(url: url) != nil else {
      throw BadInput(
        "--server wants a base URL such as http://localhost:3000 or https://host/path, found '\(redaction(url))'")
    }
    let server: ServerUnderTest
    do throws(ProvisioningProblem) {
      server = try ServerUnderTest(url: url, provisioning: provisioning, folder: folder, client: client)
    } catch {
      throw BadInput(redaction("\(error)"))
    }
    try await knock(server, client)
    return (server, client)
  }

  /// Finds out whether anything speaks HTTP there. What it says does not matter: the cases judge it.
  private func knock(_ server: ServerUnderTest, _ client: WireClient) async throws {
    var request = HTTPRequest(method: "GET", target: server.basePath.isEmpty ? "/" : server.basePath)
    request.headers = server.headers
    do throws(WireFailure) {
      _ = try await client.send(request, to: server.endpoint)
    } catch {
      let isHTTP = error.received.bytes.starts(with: "HTTP/1.".utf8)
      if isHTTP, error.kind != .timeout, error.kind != .tls { return }
      let advice = Self.advice(error.kind).map { "; \($0)" } ?? ""
      throw BadInput("no HTTP server answers at \(redaction(url)): \(redaction(error.text))\(advice)")
    }
  }

  private func client() throws -> WireClient {
    guard let trust = provisioning.trust else { return WireClient(limits: Testbed.serverLimits) }
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
