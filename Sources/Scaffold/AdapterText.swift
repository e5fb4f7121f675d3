import AdapterProtocol
import ConformanceModel
import JSONKit

/// The source text of a new adapter: the answer to `hello`, and a function for each command. The author of the adapter
/// must write the bodies of the functions.
package struct AdapterText {
  let definition: ProtocolDefinition
  let language: AdapterLanguage

  package init(_ definition: ProtocolDefinition, _ language: AdapterLanguage) {
    self.definition = definition
    self.language = language
  }

  package var text: String {
    switch language {
    case .python: python
    case .javascript: javascript
    case .typescript: typescript
    case .java: java
    case .kotlin: kotlin
    case .swift: swift
    case .dart: dart
    }
  }

  /// The commands for which the adapter needs a function. `surroundings` is one of them if the protocol defines facts
  /// about the app's surroundings. The base commands of every adapter are left out even if the protocol lists them,
  /// since the shared module of each language performs them.
  var commands: [ProtocolDefinition.Command] {
    let driven = Set(definition.drivenRoles)
    let own = definition.commands.filter { !driven.isDisjoint(with: $0.roles) && BaseCommand(rawValue: $0.name) == nil }
    guard !definition.surroundings.isEmpty else { return own }
    let facts = definition.surroundings.map { ($0.name, $0.schema) }
    let surroundings = ProtocolDefinition.Command(
      name: "surroundings", roles: definition.drivenRoles, text: "Has the app know what surrounds it now.",
      params: ["properties": .object(JSON.Object(facts.map { .init(key: $0.0, value: $0.1) }))],
      result: ["type": "null"])
    return own + [surroundings]
  }

  // MARK: Python

  private var python: String {
    """
    \"""The adapter of an SDK for \(plain(definition.title)). It translates, and adds nothing.\"""
    from conform_adapter import Adapter, Unsupported, run


    class MySDK:
        \"""Stands where the SDK will stand: import yours instead.\"""

        def __init__(self, storage, wall_clock):
            self.storage, self.wall_clock = storage, wall_clock
            self.tasks = set()  # the asyncio tasks of the SDK that run

        def close(self):
            \"""The app is closed: what is to be kept is written, and nothing goes on.\"""


    class MyAdapter(Adapter):
        hello = {
            "protocolVersion": 1, "protocol": \(quoted(definition.name)), "specRevision": \(quoted(definition.revision)),
            "sdk": {"name": "my-sdk", "version": "0.1.0", "language": "python"},
            # Those that the SDK really has:
    \(lines(capabilities, "        # "))
            "capabilities": [],
            "clocks": ["real"],  # "virtual" too, once the SDK waits on asyncio alone and its transport is `launch.counted`
            "instances": "many",
        }
        # The SDK's exceptions. Each has a `kind` (\(errorKinds)), and a `status` or None.
        errors = ()

        def make_sdk(self, launch):
            return MySDK(launch.storage, launch.wall_clock)

    \(commands.map(pythonFunction).joined(separator: "\n\n"))


    run(MyAdapter)

    """
  }

  private func pythonFunction(_ command: ProtocolDefinition.Command) -> String {
    let missing = ["# REPLACE HERE", "raise Unsupported(\(quoted(unwritten(command))))"]
    let body = (comment(command).map { "# " + $0 } + missing).map { "    " + $0 }
    return lines(["async def do_\(command.name.replacing("-", with: "_"))(self, params):"] + body, "    ")
  }

  // MARK: JavaScript

  private var javascript: String {
    """
    // The adapter of an SDK for \(plain(definition.title)). It translates, and adds nothing.
    import { serve, Unsupported } from './conformance/adapter.mjs';

    /** Stands where the SDK will stand: import yours instead. */
    class MySDK {
      constructor({ storage, clock }) {
        this.storage = storage;
        this.clock = clock;
      }

      /** The app is closed: what is to be kept is written, and nothing goes on. */
      close() {}
    }

    serve({
    \(helloOfNode)

      open: (app) => new MySDK(app),
      close: (sdk) => sdk.close(),
      // The kind of an error of the SDK: one of \(errorKinds).
      errorOf: (error) => ({ kind: error.kind, status: error.status }),

      commands: {
    \(commands.map(javascriptFunction).joined(separator: "\n\n"))
      },
    });

    """
  }

  /// The answer to `hello` in an adapter that runs on Node. It is the same in JavaScript and in TypeScript.
  var helloOfNode: String {
    """
      hello: {
        protocol: \(quoted(definition.name)),
        specRevision: \(quoted(definition.revision)),
        sdk: { name: 'my-sdk', version: '0.1.0', language: \(quoted(language.rawValue)) },
        // REPLACE HERE: the capabilities that the SDK really has.
    \(lines(capabilities, "    // "))
        capabilities: [],
        clocks: ['real'], // 'virtual' and 'scaled' too, once the SDK takes time, timers and requests from `clock`
        instances: 'many',
      },
    """
  }

  private func javascriptFunction(_ command: ProtocolDefinition.Command) -> String {
    let name = command.name.contains("-") ? "'\(command.name)'" : command.name
    return lines(
      comment(command).map { "// " + $0 } + [
        "\(name): (sdk, params, app) => {", "  // REPLACE HERE",
        "  throw new Unsupported(\(quoted(unwritten(command))));", "},",
      ], "    ")
  }

  // MARK: Both languages

  var capabilities: [String] {
    let driven = Set(definition.drivenRoles)
    let known = definition.capabilities.filter { !driven.isDisjoint(with: $0.roles) }
    guard !known.isEmpty else { return ["the protocol names none"] }
    return known.map { "\(quoted($0.name))\($0.isRequired ? ", required" : ""): \(plain($0.text))" }
  }

  var errorKinds: String {
    definition.errorKinds.isEmpty ? "the protocol names none" : definition.errorKinds.joined(separator: ", ")
  }

  func unwritten(_ command: ProtocolDefinition.Command) -> String {
    "the command '\(command.name)' is not written yet: see \(language.file)"
  }

  func comment(_ command: ProtocolDefinition.Command) -> [String] {
    let required = (command.params["required"]?.array ?? []).compactMap(\.string)
    let described = command.params["properties"]?.object ?? JSON.Object()
    let params =
      described.members.map { member in
        member.key + (required.contains(member.key) ? "" : "?") + (Self.kind(member.value).map { " (\($0))" } ?? "")
      } + required.filter { described[$0] == nil }
    let takes = params.isEmpty ? [] : ["params: " + params.joined(separator: ", ")]
    let needs = command.capabilities.isEmpty ? [] : ["capability: " + command.capabilities.joined(separator: ", ")]
    let hears = command.params["properties"]?["handle"] == nil ? [] : [callbackHint]
    let gives = "result: " + (Self.kind(command.result) ?? "anything")
    return [plain(command.text)] + takes + [gives] + needs + hears
  }

  private var callbackHint: String {
    switch language {
    case .python: "the SDK calls: self.callback(params[\"handle\"])"
    case .javascript, .typescript: "the SDK calls: (value) => app.callback(params.handle, value)"
    case .java: "the SDK calls: value -> app.callback((String) params.get(\"handle\"), value)"
    case .kotlin: "the SDK calls: { value -> app.callback(params[\"handle\"] as String, value) }"
    case .dart: "the SDK calls: (value) => app.callback(params['handle'] as String, value)"
    case .swift: "the SDK calls: { app.callback(params[\"handle\"] as! String, $0) }"
    }
  }

  /// The names of the JSON types that a schema allows, such as `string or null`; nil if it allows every type.
  private static func kind(_ schema: JSON) -> String? {
    let kinds = schema["type"]?.string.map { [$0] } ?? (schema["type"]?.array ?? []).compactMap(\.string)
    return kinds.isEmpty ? nil : kinds.joined(separator: " or ")
  }

  func lines(_ texts: [String], _ indent: String) -> String {
    texts.map { indent + $0 }.joined(separator: "\n")
  }

  /// The text on one line. Each `"""` is replaced with `"`, since it would end a comment in Python.
  func plain(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ").replacing("\"\"\"", with: "\"")
  }

  /// The text as a string literal of JSON. Such a literal is also valid in the languages of the templates.
  func quoted(_ text: String) -> String { JSON.string(text).compactText }
}
