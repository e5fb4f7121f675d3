import AdapterHost
import AdapterProtocol
import ConformanceTranscript
import JSONKit
import ReferenceKit
import Sentiance

/// An app with the reference SDK in it.
///
/// The host has one thread, which is the app's main thread. A linker never blocks this thread: it is only a callback to
/// the kit, and the kit reports its result later. Each callback to the kit contains the name of the thread on which a
/// real SDK would make the call.
final class SentianceApp: HostedApp {
  private let sdk: ReferenceSDK<SentianceCore>

  /// The environment of the launch may contain facts about the device.
  init(_ launch: AdapterLaunch, _ surroundings: any AppSurroundings, switches: Switches<SentianceSwitch>) throws {
    var facts = DeviceFacts()
    try facts.take(JSONField(.object(launch.environment)))
    sdk = ReferenceSDK(
      SentianceCore(facts: facts, seed: UInt64.random(in: 0 ... .max), switches: switches), in: surroundings,
      storage: FolderStorage(path: launch.storage), onLog: { ErrorStream.write("sentiance: \($0)\n") })
  }

  func perform(_ command: String, _ params: JSON, reply: @escaping (Result<JSON, CommandError>) -> Void) {
    do throws(JSONField.Problem) {
      guard let name = CommandName.written(command) else {
        return reply(.failure(CommandError(kind: CommandError.unsupported)))
      }
      try perform(name, JSONField(params), reply)
    } catch {
      reply(.failure(CommandError(kind: SentianceReason.invalidArgument.rawValue, message: "\(error)")))
    }
  }

  private func perform(
    _ name: CommandName, _ params: JSONField, _ reply: @escaping (Result<JSON, CommandError>) -> Void
  ) throws(JSONField.Problem) {
    func ask(_ call: SentianceCall) {
      sdk.perform(call) { result in
        reply(result.mapError { CommandError(kind: $0.reason.rawValue, message: $0.details) })
      }
    }
    switch name {
    case .initialize: ask(.initialize)
    case .onLinker: ask(.observeLinkers(handle: try params.required("handle").string()))
    case .onCompletion: ask(.observeCompletions(handle: try params.required("handle").string()))
    case .createUser:
      var options = try UserCreationOptions(params.required("options"))
      ask(.createUser(options))
      // The SDK has its own copy of the options, so later changes have no effect.
      if let changes = params.optional("mutate") { try options.take(changes) }
    case .answerLinker:
      ask(.reportLinker(call: try params.required("call").string(), try LinkerReport(params)))
    case .linkUser: ask(.linkUser(try SentianceCall.LinkMethod(params)))
    case .userExists: ask(.userExists)
    case .isUserLinked: ask(.isUserLinked)
    case .getUserId: ask(.userID)
    case .initState: ask(.initState)
    case .isEnabled: ask(.isEnabled)
    case .requestToken: ask(.requestToken)
    case .refresh: ask(.refresh)
    case .reset: ask(.reset)
    case .legacyInit:
      var options = try UserCreationOptions(credentials: params)
      options.platformURL = try params.required("baseUrl").string()
      ask(.initializeWithUser(options))
    case .inspectOptions: reply(.success(try inspect(params)))
    case .pingMain: reply(.success(.null))
    }
  }

  private func inspect(_ params: JSONField) throws(JSONField.Problem) -> JSON {
    let given = try params.required("options")
    var options =
      try params.required("form").string() == "code"
      ? UserCreationOptions(authenticationCode: try given.optional("authCode")?.string())
      : UserCreationOptions(credentials: given)
    if let changes = params.optional("set") { try options.take(changes) }
    return options.inspected
  }

  func surround(_ facts: JSON.Object) { sdk.perform(.surround(facts)) { _ in } }

  func quit() { sdk.close() }
}

extension SentianceCall.LinkMethod {
  fileprivate init(_ params: JSONField) throws(JSONField.Problem) {
    if let code = try params.optional("authCode")?.string() {
      self = .code(code)
    } else {
      self = .linker(try Linker(params.optional("linker")))
    }
  }
}
