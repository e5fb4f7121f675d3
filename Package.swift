// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target: Swift 6 language mode, warnings as errors, and `any` before protocol types.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
]

/// Settings for tests, and for targets whose code runs once in a command, or only after a change of data. Without
/// optimisation these targets build in a third of the time, and every checkout begins with a complete build.
let cold: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let nio: [Target.Dependency] = [
  .product(name: "NIOCore", package: "swift-nio"),
  .product(name: "NIOPosix", package: "swift-nio"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
  .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], resources: [Resource] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.target(name: name)] + dependencies, exclude: exclude, resources: resources,
    swiftSettings: settings + cold)
}

let package = Package(
  name: "conform",
  products: [
    .executable(name: "conform", targets: ["conform"]),
    .executable(name: "conform-carriers", targets: ["conform-carriers"]),
    .executable(name: "conform-history", targets: ["conform-history"]),
    .executable(name: "linkforty-adapter", targets: ["LinkFortyAdapter"]),
    .executable(name: "mobile-engage-adapter", targets: ["MobileEngageAdapter"]),
    .executable(name: "sentiance-adapter", targets: ["SentianceAdapter"]),
    .executable(name: "sentiance-backend", targets: ["SentianceBackend"]),
    // For the package of an SDK in Swift that writes its adapter in a target of its own.
    .library(name: "ConformAdapter", targets: ["ConformAdapter"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // JSON without loss of information: values, reader, writer, schema.
    library("JSONKit"),
    // Texts as people see them: visible characters, lines of limited width, columns.
    library("TextKit", ["JSONKit"]),
    // Requests, responses and URLs as values, without connections.
    library("HTTPValues", ["JSONKit"]),
    // Values that several threads use at once.
    library("Concurrency"),
    // Templates with holes, the values for the holes, and the spelling of times, such as `48h`.
    library("Templates", ["HTTPValues", "JSONKit"]),
    // A catalogue as values: requirements, cases, exchanges, defects.
    library("ConformanceModel", ["HTTPValues", "JSONKit", "Templates"]),
    // The transcript of a case, and the observations in it in the form that claims read.
    library("ConformanceTranscript", ["ConformanceModel", "HTTPValues", "JSONKit", "Templates"]),
    // Verdicts, the run record and the baseline.
    library("ConformanceVerdict", ["ConformanceModel", "ConformanceTranscript", "JSONKit", "Templates", "TextKit"]),
    // The type of the reference code of a protocol: checks, a server, adapters.
    library(
      "ConformancePack",
      ["ConformanceModel", "ConformanceTranscript", "ConformanceVerdict", "HTTPValues", "JSONKit", "Templates"]),
    // The content of a provisioning file: how the kit reaches or starts a server, and how the kit creates the states
    // that cases need.
    library("ConformanceProvisioning", ["ConformanceModel", "HTTPValues", "JSONKit", "Templates"]),
    // A server as data: its compiler, its program and its states.
    library(
      "ServerRules",
      ["ConformanceModel", "ConformancePack", "ConformanceTranscript", "HTTPValues", "JSONKit", "Templates"]),

    // The lines of the adapter protocol, for the kit and for adapters in Swift.
    library(
      "AdapterProtocol",
      ["ConformanceModel", "ConformanceTranscript", "JSONKit", "Templates", "TextKit"]),

    // Access to files and folders: a file is opened once, read within limits, and written without following links.
    library("Files", ["CLinux", .product(name: "SystemPackage", package: "swift-system")]),
    // YAML and JSON files as values that know their positions in the file, and the problems of such files.
    library("SpecDocuments", ["ConformanceModel", "JSONKit", "TextKit", .product(name: "Yams", package: "Yams")]),
    // Reads catalogues, provisioning files and baselines.
    library(
      "ConformanceSpec",
      [
        "CLinux", "ConformanceModel", "ConformanceProvisioning", "ConformanceVerdict", "Digests", "Files", "HTTPValues",
        "JSONKit", "SpecDocuments", "Templates", "TextKit",
      ]),
    // The coverage of a catalogue by its cases, and explanations of the parts of a catalogue.
    .target(
      name: "Coverage",
      dependencies: ["ConformanceModel", "ConformanceSpec", "JSONKit", "ServerRules", "Templates", "TextKit"],
      swiftSettings: settings + cold),
    // The requirements and cases for the certificates of one revision of a protocol.
    .target(
      name: "FrozenSets", dependencies: ["ConformanceModel", "ConformanceSpec", "JSONKit", "SpecDocuments"],
      swiftSettings: settings + cold),
    // The lint rules for a catalogue.
    .target(
      name: "Lint",
      dependencies: [
        "Concurrency", "ConformanceModel", "ConformancePack", "ConformanceSpec", "Coverage", "FrozenSets", "JSONKit",
        "ServerRules", "SpecDocuments", "Templates", "TextKit",
      ],
      swiftSettings: settings + cold),
    // The canonical form of the files of a catalogue, and the upgrade of these files to a newer format.
    .target(
      name: "Format",
      dependencies: ["ConformanceModel", "ConformanceSpec", "JSONKit", "SpecDocuments", "Templates", "TextKit"],
      swiftSettings: settings + cold),
    // Judges a transcript by the claims of its case.
    library(
      "ConformanceJudge",
      [
        "ConformanceModel", "ConformancePack", "ConformanceTranscript", "ConformanceVerdict", "HTTPValues", "JSONKit",
        "Templates",
      ]),
    // System calls that only Linux has. To run the kit on another system, replace this target first.
    .target(name: "CLinux"),
    // HTTP on the wire: client, mock server, faults.
    library(
      "ConformanceWire",
      ["CLinux", "ConformanceModel", "ConformanceTranscript", "HTTPValues", "JSONKit", "Templates"] + nio),
    // The system's library for TLS and digests. To build the same library from C would take longer than to build the
    // whole kit. The target does not use pkg-config. With pkg-config, the linker would search the system's folder
    // before the folder with the static archives (bin/setup).
    .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
    // SHA-256, computed by the system's library.
    library("Digests", ["COpenSSL"]),
    // TLS for clients and servers. It is a target of its own, so that a program with plain HTTP links no TLS library.
    library(
      "ConformanceTLS",
      ["COpenSSL", "ConformanceModel", "ConformanceTranscript", "ConformanceWire"]
        + nio),
    // Programs that the kit starts: commands, pipes, supervision, and the folders for their data.
    library(
      "Processes",
      ["AdapterProtocol", "CLinux", "ConformanceModel", "ConformanceTranscript", "HTTPValues", "JSONKit", "TextKit"]
        + nio),
    // The recording of a case: recorder, clocks, redaction, budgets.
    library(
      "Recording",
      [
        "ConformanceModel", "ConformanceTranscript", "ConformanceWire", "HTTPValues", "JSONKit", "Processes",
        "Templates", "TextKit",
      ] + nio),
    // The kit's side of the adapter protocol: conversation, session, pool, checkup.
    library(
      "Adapters",
      [
        "AdapterProtocol", "ConformanceModel", "ConformanceTranscript", "HTTPValues", "JSONKit", "Processes",
        "Templates",
      ] + nio),
    // Carries messages, over HTTP and WebSockets, to adapters that the kit does not start.
    library(
      "Carriers",
      [
        "Adapters", "Processes", .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ] + nio),
    // The program that carries messages to adapters which the kit does not start. It is a program of its own, so that
    // other runs do not wait for its build.
    .executableTarget(
      name: "conform-carriers",
      dependencies: [
        "Adapters", "Carriers", "Processes", "TextKit",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/ConformCarriers", swiftSettings: settings + cold),
    // Servers and backends under test, and the ports of the kit that they call: slots, hooks, provisioning.
    library(
      "Subjects",
      [
        "AdapterProtocol", "ConformanceModel", "ConformancePack", "ConformanceProvisioning", "ConformanceTranscript",
        "ConformanceWire", "HTTPValues", "JSONKit", "Processes", "Recording", "Templates", "TextKit",
      ] + nio),
    // The mock servers of a case: how they choose answers, mutate messages and delay the recording.
    library(
      "MockServices",
      [
        "ConformanceModel", "ConformancePack", "ConformanceTranscript", "ConformanceWire", "HTTPValues", "JSONKit",
        "Recording", "ServerRules", "Subjects", "Templates",
      ] + nio),
    // Performs a case: its steps, its pace, its end.
    library(
      "ConformanceBench",
      [
        "AdapterProtocol", "Adapters", "ConformanceModel", "ConformancePack", "ConformanceTranscript",
        "ConformanceWire", "HTTPValues", "JSONKit", "MockServices", "Processes", "Recording", "ServerRules", "Subjects",
        "Templates", "TextKit",
      ] + nio),
    // Plans a run and performs its cases in parallel.
    library(
      "ConformanceRunner",
      [
        "AdapterProtocol", "Adapters", "Concurrency", "ConformanceBench", "ConformanceJudge", "ConformanceModel",
        "ConformancePack", "ConformanceProvisioning", "ConformanceTranscript", "ConformanceVerdict", "ConformanceWire",
        "JSONKit", "MockServices", "Processes", "Recording", "Subjects", "Templates", "TextKit",
      ]),
    // Proves the suite: defects, mutants, no-op implementations, crosstalk.
    .target(
      name: "Proof",
      dependencies: [
        "AdapterHost", "AdapterProtocol", "Concurrency", "ConformanceJudge", "ConformanceModel", "ConformancePack",
        "ConformanceProvisioning", "ConformanceRunner", "ConformanceTranscript", "ConformanceVerdict",
        "ConformanceWire", "HTTPValues", "JSONKit", "MockServices", "ReferenceKit", "ServerRules", "Subjects",
        "Templates", "TextKit",
      ],
      swiftSettings: settings + cold),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    // Records in files, and what the kit derives from them: causes, step-by-step accounts, differences, baselines.
    library(
      "Records",
      [
        "CLinux", "Concurrency", "ConformanceModel", "ConformanceTranscript", "ConformanceVerdict", "Digests", "Files",
        "HTTPValues", "JSONKit", "TextKit", .product(name: "SystemPackage", package: "swift-system"),
      ]),
    // Renders a run record: console, JUnit, and the files for CI engines.
    library(
      "ConformanceReport",
      [
        "CLibXML2", "Concurrency", "ConformanceModel", "ConformanceVerdict", "Digests", "Files", "JSONKit", "Records",
        "Templates", "TextKit",
      ],
      resources: [.embedInCode("JUnit/junit-portable.xsd")]),
    // The pages about records: HTML report, parity matrix, site.
    .target(
      name: "ReportPages",
      dependencies: [
        "ConformanceModel", "ConformanceReport", "ConformanceTranscript", "ConformanceVerdict", "Digests", "Files",
        "HTTPValues", "JSONKit", "Records", "TextKit", .product(name: "Mustache", package: "swift-mustache"),
      ],
      resources: [
        .embedInCode("HTML/report.mustache"), .embedInCode("HTML/card.mustache"),
        .embedInCode("HTML/diagram.mustache"), .embedInCode("HTML/note.mustache"), .embedInCode("HTML/report.css"),
        .embedInCode("HTML/report.js"), .embedInCode("Site/site_head.mustache"),
        .embedInCode("Site/site_index.mustache"), .embedInCode("Site/site_subject.mustache"),
        .embedInCode("Site/site_requirement.mustache"), .embedInCode("Site/badge.mustache"),
        .embedInCode("Site/site.css"), .embedInCode("Site/site.js"), .embedInCode("Registry/registry_index.mustache"),
        .embedInCode("Registry/registry_certificate.mustache"), .embedInCode("Registry/registry_evidence.mustache"),
        .embedInCode("Registry/registry.js"),
        .embedInCode("Registry/evidence.js"),
      ],
      swiftSettings: settings + cold),
    // Records of many runs in one database.
    library(
      "ConformanceHistory",
      [
        "ConformanceModel", "ConformanceVerdict", "Digests", "JSONKit", "Records", "TextKit",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    // The command for histories. It is a program of its own, because a run needs no database and does not wait for the
    // build of one.
    .executableTarget(
      name: "conform-history",
      dependencies: [
        "ConformanceHistory", "ConformanceVerdict", "JSONKit", "Records", "TextKit",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/ConformHistory", swiftSettings: settings + cold),
    // The reference server for developers of apps, with its journal, its web page and its interface for programs.
    .target(
      name: "LiveServer",
      dependencies: [
        "ConformanceJudge", "ConformanceModel", "ConformancePack", "ConformanceTranscript", "ConformanceVerdict",
        "ConformanceWire", "HTTPValues", "JSONKit", "MockServices", "Processes", "ServerRules", "Subjects", "Templates",
        "TextKit",
      ],
      resources: [
        .embedInCode("Page/live.html"), .embedInCode("Page/live.css"), .embedInCode("Page/live.js"),
      ],
      swiftSettings: settings + cold),
    // Compares a record with a different pack: verdicts, cases that must run again, requirements.
    .target(
      name: "ConformanceUpgrade",
      dependencies: [
        "ConformanceJudge", "ConformanceModel", "ConformanceRunner", "ConformanceTranscript", "ConformanceVerdict",
        "JSONKit", "TextKit",
      ],
      swiftSettings: settings + cold),
    // Certificates: keys, statements, bundles, and the conditions under which a certificate is valid.
    .target(
      name: "Certification",
      dependencies: [
        "COpenSSL", "ConformanceModel", "ConformanceVerdict", "Digests", "Files", "HTTPValues", "JSONKit", "Records",
        "Templates",
      ]),
    // The data that the program carries. The examples contain parts of adapters that belong to no SDK and no protocol.
    // This target is in Sources, because a target in the top folder would have to list every other file there, such as
    // reports of runs.
    library(
      "ConformanceData", resources: [.copy("../../spec"), .copy("../../Fixtures"), .copy("../../Examples")]),

    // An adapter around an SDK in Swift.
    library(
      "AdapterHost",
      ["AdapterProtocol", "ConformanceTranscript", "ConformanceWire", "HTTPValues", "JSONKit", "Templates"] + nio),

    // The parts of a reference SDK that are the same for every protocol.
    library(
      "ReferenceKit",
      [
        "AdapterHost", "AdapterProtocol", "ConformanceModel", "ConformancePack", "ConformanceTranscript",
        "ConformanceWire", "HTTPValues", "JSONKit", "Templates",
      ]),

    // The data that the LinkForty SDK and server share.
    library("LinkFortyModel", ["ConformanceModel", "JSONKit"]),
    // The LinkForty server of the kit, with its defects.
    library(
      "LinkFortyCore",
      [
        "ConformanceModel", "ConformancePack", "ConformanceTranscript", "HTTPValues", "JSONKit", "LinkFortyModel",
        "ReferenceKit", "Templates",
      ]),
    // The LinkForty SDK of the kit, with its defects.
    library(
      "LinkForty",
      [
        "ConformanceModel", "ConformancePack", "ConformanceTranscript", "ConformanceVerdict", "ConformanceWire",
        "HTTPValues", "JSONKit", "LinkFortyCore", "LinkFortyModel", "ReferenceKit", "Templates",
      ]),
    // The adapter of the LinkForty SDK.
    .executableTarget(
      name: "LinkFortyAdapter",
      dependencies: [
        "AdapterHost", "AdapterProtocol", "ConformanceTLS", "ConformanceTranscript", "JSONKit", "LinkForty",
        "LinkFortyModel", "ReferenceKit",
      ],
      swiftSettings: settings),

    // The Mobile Engage SDK of the kit, with its defects.
    .target(
      name: "MobileEngage",
      dependencies: ["ConformanceModel", "HTTPValues", "JSONKit", "ReferenceKit", "Templates"],
      swiftSettings: settings + cold),
    // The adapter of the Mobile Engage SDK.
    .executableTarget(
      name: "MobileEngageAdapter",
      dependencies: [
        "AdapterHost", "AdapterProtocol", "ConformanceTranscript", "JSONKit", "MobileEngage", "ReferenceKit",
      ],
      swiftSettings: settings),

    // The Sentiance SDK and backend of the kit, with their defects.
    .target(
      name: "Sentiance",
      dependencies: ["ConformanceModel", "Digests", "HTTPValues", "JSONKit", "ReferenceKit", "Templates"],
      resources: [.embedInCode("Backend/binding.yaml")],
      swiftSettings: settings + cold),
    // The adapter of the Sentiance SDK.
    .executableTarget(
      name: "SentianceAdapter",
      dependencies: [
        "AdapterHost", "AdapterProtocol", "ConformanceTLS", "ConformanceTranscript", "JSONKit", "ReferenceKit",
        "Sentiance",
      ],
      swiftSettings: settings),
    // The Sentiance backend of the kit as a program.
    .executableTarget(
      name: "SentianceBackend",
      dependencies: [
        "ConformanceTLS", "ConformanceTranscript", "ConformanceWire", "HTTPValues", "ReferenceKit", "Sentiance",
        "Templates", .product(name: "NIOHTTP1", package: "swift-nio"),
      ] + nio,
      swiftSettings: settings),

    // The module that all adapters in Swift share. It is also a part of the template, which needs Swift 5.9 only.
    .target(
      name: "ConformAdapter", path: "Examples/templates/swift/Sources/ConformAdapter",
      swiftSettings: [.swiftLanguageMode(.v5)]),

    // The first files of an adapter or a protocol.
    .target(
      name: "Scaffold",
      dependencies: ["AdapterProtocol", "CommandInterface", "ConformanceModel", "JSONKit", "TextKit"],
      swiftSettings: settings + cold),
    // The parts that commands share: options, output, and the protocols that the program knows.
    .target(
      name: "CommandInterface",
      dependencies: [
        "Adapters", "CLinux", "Certification", "Concurrency", "ConformanceBench", "ConformanceData", "ConformanceJudge",
        "ConformanceModel", "ConformancePack", "ConformanceProvisioning", "ConformanceReport", "ConformanceRunner",
        "ConformanceSpec", "ConformanceTLS", "ConformanceTranscript", "ConformanceVerdict", "ConformanceWire", "Files",
        "HTTPValues", "JSONKit", "LinkForty", "Lint", "MobileEngage", "MockServices", "Processes", "Recording",
        "Records", "ReferenceKit", "ReportPages", "Sentiance", "SpecDocuments", "Subjects", "Templates", "TextKit",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings + cold),
    // Checks records and certificates again.
    .target(
      name: "Audit",
      dependencies: [
        "Certification", "CommandInterface", "ConformanceJudge", "ConformanceModel", "ConformancePack",
        "ConformanceRunner", "ConformanceSpec", "ConformanceTranscript", "ConformanceVerdict", "Files", "FrozenSets",
        "JSONKit", "Recording", "Records", "ReportPages", "SpecDocuments", "Templates", "TextKit",
      ],
      swiftSettings: settings),
    // The subcommands about certificates.
    .target(
      name: "CertificateCommands",
      dependencies: [
        "Audit", "Certification", "CommandInterface", "Concurrency", "ConformanceModel", "ConformanceRunner",
        "ConformanceSpec", "Files", "HTTPValues", "Processes", "Records", "ReportPages", "Subjects", "Templates",
        "TextKit", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings + cold),
    // The command-line program `conform`.
    .executableTarget(
      name: "conform",
      dependencies: [
        "AdapterHost", "Adapters", "Audit", "CLinux", "CertificateCommands", "Certification", "CommandInterface",
        "Concurrency",
        "ConformanceBench", "ConformanceData", "ConformanceJudge", "ConformanceModel", "ConformancePack",
        "ConformanceReport", "ConformanceRunner", "ConformanceSpec", "ConformanceTLS", "ConformanceTranscript",
        "ConformanceUpgrade", "ConformanceVerdict", "ConformanceWire", "Coverage", "Files", "Format", "FrozenSets",
        "HTTPValues", "JSONKit", "Lint", "LiveServer", "MockServices", "Processes", "Proof", "Recording", "Records",
        "ReferenceKit", "ReportPages", "Scaffold", "Subjects", "Templates", "TextKit",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings + cold),

    // Measures the kit, and compares it with minimal implementations in the same run. No measured time fails a test.
    .executableTarget(
      name: "conform-benchmarks",
      dependencies: [
        "AdapterProtocol", "Adapters", "CLinux", "ConformanceModel", "ConformanceReport", "ConformanceTranscript",
        "ConformanceVerdict", "ConformanceWire", "HTTPValues", "JSONKit", "Processes", "Records", "ServerRules",
        "Templates", .product(name: "NIOHTTP1", package: "swift-nio"),
      ] + nio,
      path: "Sources/ConformBenchmarks", swiftSettings: settings),

    // Passes mutated inputs to the readers of files and messages from other programs, all in one process.
    .executableTarget(
      name: "conform-fuzz",
      dependencies: [
        "AdapterProtocol", "Audit", "CLinux", "Certification", "CommandInterface", "ConformanceModel",
        "ConformanceReport", "ConformanceSpec", "ConformanceVerdict", "ConformanceWire", "Files", "HTTPValues",
        "JSONKit", "Records", "SpecDocuments", "Templates",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/ConformFuzz", swiftSettings: settings),

    // Random and unusual values, for tests of properties that hold for every value.
    .target(
      name: "RandomValues", dependencies: ["ConformanceModel", "HTTPValues", "JSONKit"],
      path: "Tests/RandomValues",
      swiftSettings: settings),
    // Starts programs for tests.
    .target(name: "Programs", dependencies: ["CLinux"], path: "Tests/Programs", swiftSettings: settings),
    tests("Digests"),
    tests(
      "JSONKit", ["ConformanceModel", "RandomValues"],
      resources: [.copy("JSON-Schema-Test-Suite")]),
    tests("TextKit"),
    tests("Files"),
    tests("HTTPValues", ["ConformanceModel", "JSONKit", "RandomValues"]),
    tests("Templates", ["ConformanceModel", "JSONKit", "LinkFortyCore", "RandomValues"]),
    tests("ConformanceModel"),
    tests("ConformanceTranscript", ["ConformanceModel", "ConformanceVerdict", "HTTPValues", "JSONKit", "Templates"]),
    tests("ConformanceVerdict", ["ConformanceModel", "ConformanceTranscript", "JSONKit"]),
    tests("ServerRules", ["ConformanceModel", "HTTPValues", "JSONKit", "Templates"]),
    tests("AdapterProtocol", ["ConformanceModel", "JSONKit", "Templates"]),
    tests(
      "ConformanceSpec",
      [
        "CommandInterface", "ConformanceModel", "ConformancePack", "ConformanceProvisioning", "ConformanceTranscript",
        "ConformanceVerdict", "Coverage", "Format", "FrozenSets", "HTTPValues", "JSONKit", "LinkFortyCore",
        "LinkFortyModel", "Lint", "Programs", "ServerRules", "SpecDocuments", "Templates",
      ]),
    tests(
      "ConformanceJudge",
      [
        "ConformanceModel", "ConformancePack", "ConformanceTranscript", "ConformanceVerdict", "HTTPValues", "JSONKit",
        "Templates",
      ]),
    tests(
      "LiveServer",
      [
        "ConformanceJudge", "ConformanceModel", "ConformancePack", "ConformanceSpec", "ConformanceTranscript",
        "ConformanceWire", "HTTPValues", "JSONKit", "LinkForty",
      ]),
    tests(
      "Carriers",
      [
        "Adapters", "Processes", .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ] + nio),
    tests(
      "ConformanceWire",
      ["ConformanceModel", "ConformanceTLS", "ConformanceTranscript", "HTTPValues", "Templates"] + nio),
    tests(
      "ConformanceBench",
      [
        "AdapterProtocol", "Adapters", "CLinux", "Concurrency", "ConformanceModel", "ConformancePack",
        "ConformanceProvisioning", "ConformanceTranscript", "ConformanceWire", "HTTPValues", "JSONKit", "MockServices",
        "Processes",
        "RandomValues", "Recording", "ServerRules", "Subjects", "Templates",
      ] + nio),
    tests(
      "ConformanceRunner",
      [
        "Adapters", "CommandInterface", "Concurrency", "ConformanceBench", "ConformanceJudge", "ConformanceModel",
        "ConformancePack", "ConformanceProvisioning", "ConformanceSpec", "ConformanceTLS", "ConformanceTranscript",
        "ConformanceVerdict",
        "ConformanceWire", "Coverage", "HTTPValues", "JSONKit", "Lint", "MockServices", "Processes", "Proof",
        "Recording", "ServerRules", "SpecDocuments", "Subjects", "Templates", "TextKit",
      ],
      // A protocol as a folder of data, and its subjects. The tests find these files by their paths.
      exclude: ["Beacon/spec", "Beacon/Fixtures", "Beacon/subjects"]),
    tests(
      "Certification", ["ConformanceModel", "ConformanceVerdict", "JSONKit", "Templates"]),
    tests(
      "ConformanceReport",
      [
        "CLibXML2", "ConformanceModel", "ConformanceTranscript", "ConformanceVerdict", "Files", "HTTPValues", "JSONKit",
        "Records", "ReportPages", "Templates",
      ]),
    tests(
      "ConformanceUpgrade",
      [
        "ConformanceJudge", "ConformanceModel", "ConformancePack", "ConformanceTranscript", "ConformanceVerdict",
        "JSONKit",
      ]),
    tests(
      "ConformanceHistory",
      [
        "ConformanceModel", "ConformanceReport", "ConformanceTranscript", "ConformanceVerdict", "JSONKit", "Records",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    tests(
      "LinkForty",
      [
        "AdapterHost", "ConformanceModel", "ConformancePack", "ConformanceTranscript", "ConformanceVerdict",
        "ConformanceWire", "HTTPValues", "JSONKit", "LinkFortyCore", "LinkFortyModel", "ReferenceKit", "Templates",
      ]),
    tests(
      "MobileEngage",
      ["HTTPValues", "JSONKit", "ReferenceKit"]),
    tests(
      "Sentiance",
      ["HTTPValues", "JSONKit", "ReferenceKit"]),
    tests(
      "ReferenceKit",
      [
        "AdapterHost", "ConformanceModel", "ConformancePack", "ConformanceTranscript", "ConformanceWire", "HTTPValues",
        "JSONKit", "Templates",
      ]),
    // An adapter of an app that belongs to no protocol.
    .executableTarget(
      name: "ParcelAdapter", dependencies: ["AdapterHost", "AdapterProtocol", "ConformanceTranscript", "JSONKit"],
      path: "Tests/ParcelAdapter",
      swiftSettings: settings),
    tests(
      "AdapterHost", ["AdapterProtocol", "Adapters", "ConformanceTranscript", "JSONKit", "ParcelAdapter", "Processes"]),
    // Runs the commands as users do. The build places the commands beside these tests.
    .testTarget(
      name: "ConformTests",
      dependencies: [
        "Certification", "CommandInterface", "ConformanceBench", "ConformanceJudge", "ConformanceModel",
        "ConformanceReport", "ConformanceSpec", "ConformanceTranscript", "ConformanceVerdict", "JSONKit",
        "LinkFortyAdapter", "Programs", "RandomValues", "Records",
        "conform",
      ],
      swiftSettings: settings),
  ]
)

// Each target in Sources has a README.md, which is not part of its code.
for target in package.targets
where [.regular, .executable].contains(target.type) && target.path?.hasPrefix("Sources") ?? true {
  target.exclude.append("README.md")
}
