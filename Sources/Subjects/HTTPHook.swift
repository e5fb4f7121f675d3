import AdapterProtocol
import ConformanceModel
import ConformanceProvisioning
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit
import Templates

/// A hook that is an HTTP call to the server under test or to another server.
struct HTTPHook: ServerHook {
  let call: Provisioning.Call
  let lent: LentNames
  let server: ServerUnderTest
  /// The client that sends the HTTP call. Its time limit is that of the hook.
  let client: WireClient

  func perform(_ params: JSON.Object) async -> CommandOutcome {
    do {
      let bindings = try mapped(lent.bindings(params), isAnswered: false)
      let (endpoint, request) = try request(bindings, target: lent.encoded(bindings))
      let answer: ResponseRecord
      do throws(WireFailure) {
        answer = try await client.send(request, to: endpoint)
      } catch {
        throw HookFailure("\(request.method) \(request.target) at \(endpoint.authority): \(error.text)")
      }
      guard (200..<300).contains(answer.status) else { throw HookFailure(request, answeredWith: answer) }
      return .result(try result(bindings, answer, request))
    } catch let failure as HookFailure {
      return .error(failure.commandError)
    } catch {
      return .error(HookFailure("\(error)").commandError)
    }
  }

  /// The bindings together with the names that the hook's maps define. A map translates a value into the value of a new
  /// name. If the value to translate does not exist yet, the map defines no name.
  private func mapped(_ bindings: Bindings, isAnswered: Bool) throws -> Bindings {
    var result = bindings
    for (name, map) in call.maps.sorted(by: { $0.key < $1.key })
    where isAnswered || !map.of.holeNames.contains("answer") {
      guard let value = try? map.of.render(bindings) else { continue }
      let word = value.string ?? value.compactText
      guard let replacement = map.to[word] else {
        throw HookFailure(
          "its map '\(name)' has no value for '\(word)'; expected one of "
            + map.to.keys.sorted().joined(separator: ", "))
      }
      result[name] = try replacement.render(bindings)
    }
    return result
  }

  private func request(_ bindings: Bindings, target: Bindings) throws -> (WireEndpoint, HTTPRequest) {
    var request = HTTPRequest(method: call.method, target: "/")
    let endpoint: WireEndpoint
    switch call.target {
    case .path(let path):
      guard let address = server.onlyAddress else {
        throw HookFailure("it has a 'path', but the subject has no address: use 'url'")
      }
      endpoint = address.endpoint
      request.target = address.basePath + (try path.renderText(target))
      request.headers = server.headers
    case .url(let template):
      let text = try template.renderText(target)
      guard let url = URLText(text), let found = WireEndpoint(url) else {
        throw HookFailure("'\(text)' is not an HTTP URL such as http://127.0.0.1:8080")
      }
      endpoint = found
      request.target = (url.path.isEmpty ? "/" : url.path) + (url.query.map { "?\($0)" } ?? "")
    }
    if let body = try call.body?.render(bindings) {
      request.body = Array((body.string ?? body.compactText).utf8)
      if body.string == nil { request.headers["Content-Type"] = "application/json" }
    }
    for (name, template) in call.headers.sorted(by: { $0.key < $1.key }) {
      request.headers[name] = try template.renderText(bindings)
    }
    for text in request.headers.fields.map(\.value) + [request.target] where text.contains(where: \.isNewline) {
      throw HookFailure("its headers or its path contain a line break")
    }
    return (endpoint, request)
  }

  private func result(_ bindings: Bindings, _ answer: ResponseRecord, _ request: HTTPRequest) throws -> JSON {
    var bindings = bindings
    bindings["answer"] = answer.view
    bindings = try mapped(bindings, isAnswered: true)
    do throws(Template.RenderError) {
      return try call.result.render(bindings)
    } catch {
      throw HookFailure(
        "\(request.method) \(request.target) answered \(answer.status), but the result is wrong: \(error):"
          + " \(answer.body.firstWords)")
    }
  }
}

/// The names that the templates of hooks can use in addition to the parameters of a command, with their values.
struct LentNames: Sendable {
  private let given: Bindings
  /// The names of addresses. Their values are not percent-encoded in URLs.
  private let addresses: Set<String>
  private let now: @Sendable () -> String

  /// Takes the values, limits and addresses of the server. If all services have the same address, the name `server`
  /// also refers to this address.
  init(server: ServerUnderTest, now: @escaping @Sendable () -> String) {
    var given = server.bindings
    if let only = server.onlyAddress { given["server"] = ["url": .string(only.url)] }
    self.given = given
    addresses = Set(server.addresses.keys.map(\.rawValue) + ["server"])
    self.now = now
  }

  /// All these values together with the parameters of a command. A parameter takes precedence over any other value with
  /// the same name.
  func bindings(_ params: JSON.Object) -> Bindings {
    var bindings = given
    bindings["now"] = .string(now())
    for member in params.members { bindings[member.key] = member.value }
    return bindings
  }

  /// The bindings for a URL. Each text is percent-encoded, so that it fills exactly one segment of a path or one value
  /// of a query. Only the values of ``addresses`` are not encoded.
  func encoded(_ bindings: Bindings) -> Bindings {
    bindings.percentEncoding(bindings.values.keys.filter { !addresses.contains($0) })
  }
}

/// The error of a failed hook, with the reason.
struct HookFailure: Error {
  var message: String
  var status: Int?

  init(_ message: String, status: Int? = nil) {
    self.message = message
    self.status = status
  }

  init(_ request: HTTPRequest, answeredWith answer: ResponseRecord) {
    let location = answer.headers["Location"].map { " to \($0), and redirects are not followed" } ?? ""
    message = "\(request.method) \(request.target) answered \(answer.status)\(location): \(answer.body.firstWords)"
    status = answer.status
  }

  var commandError: CommandError {
    CommandError(kind: CommandError.hookFailed, status: status, message: message)
  }
}

extension Octets {
  /// The beginning of the bytes as text on one line, for an error message.
  var firstWords: String { bytes.isEmpty ? "nothing" : VisibleBytes.text(bytes) }
}
