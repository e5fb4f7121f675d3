import ConformanceModel
import JSONKit

/// The adapters in TypeScript, Java, Kotlin, Swift and Dart.
extension AdapterText {
  var typescript: String {
    """
    // The adapter of an SDK for \(plain(definition.title)). It translates, and adds nothing.
    import { serve, Unsupported, type App, type Command } from './conformance/adapter.mjs';

    /** REPLACE HERE: import your SDK instead. */
    class MySDK {
      url = '';
      constructor(readonly app: App) {}

      /** The app is closed: the SDK writes what it keeps, and ends. */
      close(): void {}
    }

    /** The commands of the protocol with the types of their parameters and results. */
    interface Commands {
    \(commands.map { "  '\($0.name)': Command<MySDK, \(Self.type(of: $0.params)), \(Self.type(of: $0.result))>;" }
      .joined(separator: "\n"))
    }

    serve<MySDK, Commands>({
    \(helloOfNode)

      open: (app) => new MySDK(app),
      close: (sdk) => sdk.close(),
      // REPLACE HERE: the kind of an error of the SDK is one of \(errorKinds).
      errorOf: (error) => ({ kind: (error as { kind?: string }).kind ?? '\(failureKind)' }),

      commands: {
    \(commands.map { command in
      written(command, ["'\(command.name)': (sdk, params, app) => {", "  throw new Unsupported(", "},"], "    ")
    }.joined(separator: "\n\n"))
      },
    });

    """
  }

  var java: String {
    """
    // The adapter of an SDK for \(plain(definition.title)). It translates, and adds nothing.
    import java.util.List;
    import java.util.Map;

    public final class Adapter extends ConformAdapter<Adapter.MySDK> {
      /** REPLACE HERE: use your SDK instead. */
      static final class MySDK {
        final ConformAdapter<MySDK>.App app;
        String url;

        MySDK(ConformAdapter<MySDK>.App app) { this.app = app; }

        /** The app is closed: the SDK writes what it keeps, and ends. */
        void close() {}
      }

      public static void main(String[] arguments) { new Adapter().serve(); }

      private Adapter() {
        hello(Map.of(
            "protocol", \(quoted(definition.name)), "specRevision", \(quoted(definition.revision)),
            "sdk", Map.of("name", "my-sdk", "version", "0.1.0", "language", "java"),
            // REPLACE HERE: the capabilities that the SDK really has.
    \(lines(capabilities, "        // "))
            "capabilities", List.of(),
            "clocks", List.of("real"), // "virtual" and "scaled" too, once the SDK uses `app` for time and requests
            "instances", "many"));
    \(commands.map { "    command(\(quoted($0.name)), this::\(Self.function($0.name)));" }.joined(separator: "\n"))
      }

      @Override
      protected MySDK open(App app) { return new MySDK(app); }

      @Override
      protected void close(MySDK sdk) { sdk.close(); }

      /** REPLACE HERE: the kind of an error of the SDK is one of \(errorKinds). */
      @Override
      protected Failed failure(Throwable error) {
        return new Failed(\(quoted(failureKind)), null, String.valueOf(error.getMessage()));
      }

    \(commands.map { command in
      let head =
        "private Object \(Self.function(command.name))(MySDK sdk, Map<String, Object> params, App app)"
        + " throws Exception {"
      return written(command, [head, "  throw new Unsupported(", "}"], "  ")
    }.joined(separator: "\n\n"))
    }

    """
  }

  var kotlin: String {
    """
    // The adapter of an SDK for \(plain(definition.title)). It translates, and adds nothing.

    /** REPLACE HERE: use your SDK instead. */
    class MySDK(val app: ConformAdapter<MySDK>.App) {
      var url = ""

      /** The app is closed: the SDK writes what it keeps, and ends. */
      fun close() {}
    }

    class Adapter : CoroutineAdapter<MySDK>() {
      init {
        hello(mapOf(
          "protocol" to \(dollarQuoted(definition.name)), "specRevision" to \(dollarQuoted(definition.revision)),
          "sdk" to mapOf("name" to "my-sdk", "version" to "0.1.0", "language" to "kotlin"),
          // REPLACE HERE: the capabilities that the SDK really has.
    \(lines(capabilities, "      // "))
          "capabilities" to listOf<String>(),
          "clocks" to listOf("real"), // "virtual" and "scaled" too, once the SDK uses `app` for time and requests
          "instances" to "many"))
    \(commands.map { "    suspending(\(dollarQuoted($0.name)), this::\(Self.function($0.name)))" }
      .joined(separator: "\n"))
      }

      override fun open(app: App): MySDK = MySDK(app)

      override fun close(sdk: MySDK) = sdk.close()

      /** REPLACE HERE: the kind of an error of the SDK is one of \(errorKinds). */
      override fun failure(error: Throwable): Failed =
        Failed(\(dollarQuoted(failureKind)), null, error.message ?: error.toString())

    \(commands.map { command in
      let head =
        "private suspend fun \(Self.function(command.name))(sdk: MySDK, params: Map<String, Any?>, app: App): Any? {"
      return written(command, [head, "  throw Unsupported(", "}"], "  ")
    }.joined(separator: "\n\n"))
    }

    fun main() = Adapter().serve()

    """
  }

  var swift: String {
    """
    // The adapter of an SDK for \(plain(definition.title)). It translates, and adds nothing.
    import ConformAdapter
    import Foundation

    /// REPLACE HERE: import your SDK instead.
    final class MySDK {
      let app: App
      var url = ""

      init(_ app: App) { self.app = app }

      /// The app is closed: the SDK writes what it keeps, and ends.
      func close() {}
    }

    let adapter = ConformAdapter<MySDK>(
      hello: [
        "protocol": \(quoted(definition.name)), "specRevision": \(quoted(definition.revision)),
        "sdk": ["name": "my-sdk", "version": "0.1.0", "language": "swift"],
        // REPLACE HERE: the capabilities that the SDK really has.
    \(lines(capabilities, "    // "))
        "capabilities": [String](),
        "clocks": ["real"],  // "virtual" and "scaled" too, once the SDK uses `app` for time, timers and requests
        "instances": "many",
      ],
      open: { MySDK($0) },
      close: { $0.close() },
      // REPLACE HERE: the kind of an error of the SDK is one of \(errorKinds).
      failure: { Failed(kind: \(quoted(failureKind)), message: "\\($0)") },
      commands: [
    \(commands.map { "    \(quoted($0.name)): \(Self.function($0.name))," }.joined(separator: "\n"))
      ])

    \(commands.map { command in
      let head =
        "func \(Self.function(command.name))(\n  sdk: MySDK, params: [String: Any], app: App,"
        + " reply: @escaping (Result<Any?, any Error>) -> Void\n) throws {"
      return written(command, [head, "  throw Unsupported(", "}"], "")
    }.joined(separator: "\n\n"))

    adapter.serve()

    """
  }

  var dart: String {
    """
    // The adapter of an SDK for \(plain(definition.title)). It translates, and adds nothing.
    //
    // NOT EXECUTED: the tests of the kit have no Dart SDK. Run 'conform doctor' on this adapter first.
    import 'conform_adapter.dart';

    /// REPLACE HERE: import your SDK instead.
    class MySDK {
      MySDK(this.app);

      final App app;
      String url = '';

      /// The app is closed: the SDK writes what it keeps, and ends.
      void close() {}
    }

    void main() => ConformAdapter<MySDK>(
          hello: {
            'protocol': \(dollarQuoted(definition.name)),
            'specRevision': \(dollarQuoted(definition.revision)),
            'sdk': {'name': 'my-sdk', 'version': '0.1.0', 'language': 'dart'},
            // REPLACE HERE: the capabilities that the SDK really has.
    \(lines(capabilities, "        // "))
            'capabilities': <String>[],
            'clocks': ['real'], // 'virtual' and 'scaled' too, once the SDK takes time and requests from `app`
            'instances': 'many',
          },
          open: MySDK.new,
          close: (sdk) => sdk.close(),
          // REPLACE HERE: the kind of an error of the SDK is one of \(errorKinds).
          failure: (error) => Failed(\(dollarQuoted(failureKind)), message: '$error'),
          commands: {
    \(commands.map { "        \(dollarQuoted($0.name)): \(Self.function($0.name))," }.joined(separator: "\n"))
          },
        ).serve();

    \(commands.map { command in
      let head =
        "Future<Object?> \(Self.function(command.name))(MySDK sdk, Map<String, Object?> params, App app) async {"
      return written(command, [head, "  throw Unsupported(", "}"], "")
    }.joined(separator: "\n\n"))

    """
  }

  /// A function whose body the author must write. Until then, the body throws an error. `form` contains the head of the
  /// function, the beginning of the throwing statement, and the end of the function.
  private func written(_ command: ProtocolDefinition.Command, _ form: [String], _ indent: String) -> String {
    let text = language == .kotlin || language == .dart ? dollarQuoted(unwritten(command)) : quoted(unwritten(command))
    let end = language == .kotlin || language == .swift ? ")" : ");"
    return lines(
      comment(command).map { "// " + $0 } + [form[0], "  // REPLACE HERE", form[1] + text + end, form[2]], indent)
  }

  /// The error kind that the template reports if an error of the SDK has no kind of its own.
  private var failureKind: String { definition.errorKinds.first ?? "unsupported" }

  /// A string literal for Kotlin and Dart. Each `$` is escaped, since it would begin an expression in these languages.
  private func dollarQuoted(_ text: String) -> String { quoted(text).replacing("$", with: "\\$") }

  /// The name of a command's function: `doStart` for `start`. Such a name is not a keyword in any language.
  private static func function(_ name: String) -> String {
    "do" + name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The TypeScript type of the values that a schema describes.
  private static func type(of schema: JSON) -> String {
    if let members = schema["properties"]?.object {
      let required = (schema["required"]?.array ?? []).compactMap(\.string)
      guard !members.members.isEmpty else { return "Record<string, never>" }
      let fields = members.members.map { member in
        "\(JSON.string(member.key).compactText)\(required.contains(member.key) ? "" : "?"): \(type(of: member.value))"
      }
      return "{ " + fields.joined(separator: "; ") + " }"
    }
    let names = schema["type"]?.string.map { [$0] } ?? (schema["type"]?.array ?? []).compactMap(\.string)
    let types = names.map { name in
      switch name {
      case "integer", "number": "number"
      case "string": "string"
      case "boolean": "boolean"
      case "null": "null"
      case "array": "Array<\(schema["items"].map { type(of: $0) } ?? "unknown")>"
      default: "Record<string, unknown>"
      }
    }
    return types.isEmpty ? "unknown" : types.joined(separator: " | ")
  }
}
