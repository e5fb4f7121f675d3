import AdapterHost
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit

/// One launch of an ``IdleSDK``.
package final class IdleApp: HostedApp {
  private let sdk: IdleSDK
  private unowned let surroundings: any AppSurroundings
  /// Maps the name of a member to the last value that the SDK received in a member with this name.
  private var remembered: [String: JSON] = [:]
  /// The addresses to which the canned requests were sent.
  private var addresses: Set<String> = []

  package init(_ sdk: IdleSDK, _ surroundings: any AppSurroundings) {
    self.sdk = sdk
    self.surroundings = surroundings
  }

  package func perform(_ command: String, _ params: JSON, reply: @escaping (Result<JSON, CommandError>) -> Void) {
    switch sdk.kind {
    case .null: reply(.failure(CommandError(kind: CommandError.unsupported, message: "there is no SDK here")))
    case .refusing: reply(.failure(CommandError(kind: sdk.errorKind, message: "refused")))
    case .agreeing, .lying, .echoing, .canned:
      takeNote(of: params)
      guard let answer = sdk.answers[command] else { return reply(.success(.null)) }
      if let handle = params["handle"]?.string, let value = answer.callback {
        surroundings.callBack(handle, recalling(value, command))
      }
      reply(.success(recalling(answer.result, command)))
    }
  }

  package func surround(_ facts: JSON.Object) {}

  package func quit() {}

  /// Stores each member of a value, at any depth. A canned SDK also sends its requests to each address among the
  /// members.
  package func takeNote(of value: JSON) {
    for member in value.object?.members ?? [] {
      remembered[member.key] = member.value
      if sdk.kind == .canned, let text = member.value.string { send(to: text, knownAs: member.key) }
      takeNote(of: member.value)
    }
  }

  /// Returns a copy of the value if the SDK echoes. In the copy, each member has the last value that the SDK received
  /// in a member with the same name. Any other text is replaced if the command's name ends with the name of a received
  /// member: for `getUserId`, by the value of `id`.
  private func recalling(_ value: JSON, _ command: String) -> JSON {
    guard sdk.kind == .echoing else { return value }
    switch value {
    case .object(let object):
      return .object(
        JSON.Object(
          object.members.map { .init(key: $0.key, value: remembered[$0.key] ?? recalling($0.value, command)) }))
    case .string:
      return remembered.first { command.lowercased().hasSuffix($0.key.lowercased()) }?.value ?? value
    default: return value
    }
  }

  /// Sends the canned requests to a new address. `name` is the name of the member that contains the address. If `name`
  /// begins with the name of a service, such as `clientUrl` with `client`, sends only the requests to this service.
  /// Otherwise sends all requests.
  private func send(to address: String, knownAs name: String) {
    guard let url = URLText(address), let endpoint = WireEndpoint(url), addresses.insert(address).inserted else {
      return
    }
    let mount = url.path.hasSuffix("/") ? String(url.path.dropLast()) : url.path
    let meant = sdk.requests.filter { name.lowercased().hasPrefix($0.service.rawValue.replacing("-", with: "")) }
    for canned in meant.isEmpty ? sdk.requests : meant {
      var request = canned.request
      request.target = mount + request.target
      _ = surroundings.send(request, to: endpoint, chunked: false) { _ in }
    }
  }
}
