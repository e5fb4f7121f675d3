// swift-tools-version: 6.2
import PackageDescription

/// Every target of the kit: Swift 6 language mode, warnings are errors, `any` is spelled out.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
]

/// Targets whose code runs once a command or once a change: unoptimised they build in a third of the time, and everybody
/// begins with a build from nothing.
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
    swiftSettings: settings)
}

let package = Package(
  name: "conform",
  products: [
    .executable(name: "conform", targets: ["conform"]),
    .executable(name: "conform-history", targets: ["conform-history"]),
    .executable(name: "linkforty-adapter", targets: ["LinkFortyAdapter"]),
    .executable(name: "mobile-engage-adapter", targets: ["MobileEngageAdapter"]),
    .executable(name: "sentiance-adapter", targets: ["SentianceAdapter"]),
    .executable(name: "sentiance-backend", targets: ["SentianceBackend"]),
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
    // JSON as a value that loses nothing: reader, writer, schema.
    library("JSONKit"),
    // Texts as people see them: visible characters, lines of a width, columns.
    library("TextKit", ["JSONKit"]),
    // Requests, responses and URLs as values, without a wire.
    library("HTTPValues", ["JSONKit"]),
    // Templates with holes, their bindings, and time as cases name it.
    library("Templates", ["HTTPValues", "JSONKit", "TextKit"]),
    // A catalogue as values: requirements, cases, exchanges, defects.
    library("ConformanceModel", ["HTTPValues", "JSONKit", "Templates", "TextKit"]),
    // The transcript of a case, and the views in which claims look at it.
    library("ConformanceTranscript", ["ConformanceModel", "HTTPValues", "JSONKit", "Templates"]),
    // Verdicts, the run record and the baseline.
    library("ConformanceVerdict", ["ConformanceModel", "ConformanceTranscript", "JSONKit", "Templates", "TextKit"]),
    // The code that a protocol brings: checks, a server, adapters.
    library(
      "ConformancePack",
      ["ConformanceModel", "ConformanceTranscript", "ConformanceVerdict", "HTTPValues", "JSONKit", "Templates"]),
    // How to reach or start a server, and how to bring it into the states of cases.
    library("ConformanceProvisioning", ["ConformanceModel", "HTTPValues", "JSONKit", "Templates"]),
    // A server that is data: its compiler, its program and its memory.
    library(
      "ServerRules",
      ["ConformanceModel", "ConformancePack", "ConformanceTranscript", "HTTPValues", "JSONKit", "Templates"]),

    // The lines of the adapter protocol, for the kit and for adapters in Swift.
    library(
      "AdapterProtocol",
      ["ConformanceModel", "ConformanceTranscript", "JSONKit", "Templates", "TextKit"]),

    // Reads catalogues, provisioning files and baselines.
    library(
      "ConformanceSpec",
      [
        "CLinux", "ConformanceModel", "ConformanceProvisioning", "ConformanceVerdict", "Digests", "HTTPValues",
        "JSONKit", "Templates", "TextKit", .product(name: "Yams", package: "Yams"),
      ]),
    // Lint, coverage, explanations and the form of a catalogue.
    .target(
      name: "ConformanceAuthoring",
      dependencies: [
        "ConformanceModel", "ConformancePack", "ConformanceSpec", "JSONKit", "ServerRules", "Templates", "TextKit",
      ],
      swiftSettings: settings + cold),
    // Judges a transcript by the claims of its case.
    library(
      "ConformanceJudge",
      ["ConformanceModel", "ConformancePack", "ConformanceTranscript", "ConformanceVerdict", "JSONKit", "Templates"]),
    // What only Linux has: a port of the kit begins here.
    .target(name: "CLinux"),
    // HTTP on the wire: client, mock server, faults.
    library(
      "ConformanceWire",
      ["CLinux", "ConformanceModel", "ConformanceTranscript", "HTTPValues", "JSONKit", "Templates"] + nio),
    // The system's own library for TLS and digests: as C it would take longer to build than the whole kit. Without
    // pkg-config, which would have linkers look into the system's folder before that of its archives (bin/setup).
    .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
    // SHA-256, by the system's library.
    library("Digests", ["COpenSSL"]),
    // TLS for both sides of the wire, apart from it: who speaks plain HTTP links no library for more.
    library(
      "ConformanceTLS",
      ["COpenSSL", "ConformanceModel", "ConformanceTranscript", "ConformanceWire"]
        + nio),
    // Performs a case: adapters, servers, clocks, recording.
    library(
      "ConformanceBench",
      [
        "AdapterProtocol", "CLinux", "ConformanceModel", "ConformancePack", "ConformanceProvisioning",
        "ConformanceTranscript", "ConformanceWire", "HTTPValues", "JSONKit", "ServerRules", "Templates", "TextKit",
      ] + nio),
    // Plans a run, performs its cases at once and proves the suite.
    library(
      "ConformanceRunner",
      [
        "AdapterProtocol", "ConformanceBench", "ConformanceJudge", "ConformanceModel", "ConformancePack",
        "ConformanceProvisioning", "ConformanceTranscript", "ConformanceVerdict", "ConformanceWire", "HTTPValues",
        "JSONKit", "ServerRules", "Templates", "TextKit",
      ]),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    // Records in files, and every report of them.
    library(
      "ConformanceReport",
      [
        "CLibXML2", "CLinux", "ConformanceModel", "ConformanceTranscript", "ConformanceVerdict", "Digests",
        "HTTPValues", "JSONKit", "Templates", "TextKit", .product(name: "Mustache", package: "swift-mustache"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      resources: [
        .embedInCode("JUnit/junit-portable.xsd"), .embedInCode("HTML/report.mustache"),
        .embedInCode("HTML/card.mustache"), .embedInCode("HTML/diagram.mustache"), .embedInCode("HTML/note.mustache"),
        .embedInCode("HTML/report.css"),
        .embedInCode("HTML/report.js"), .embedInCode("Site/site_head.mustache"),
        .embedInCode("Site/site_index.mustache"), .embedInCode("Site/site_subject.mustache"),
        .embedInCode("Site/site_requirement.mustache"), .embedInCode("Site/badge.mustache"),
        .embedInCode("Site/site.css"), .embedInCode("Site/site.js"),
      ]),
    // Records of many runs in one database.
    library(
      "ConformanceHistory",
      [
        "ConformanceModel", "ConformanceReport", "ConformanceVerdict", "Digests", "JSONKit", "TextKit",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    // The command for histories, apart from the other: a run needs no database, and does not wait for the build of one.
    .executableTarget(
      name: "conform-history",
      dependencies: [
        "ConformanceHistory", "ConformanceReport", "ConformanceVerdict", "JSONKit", "TextKit",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/ConformHistory", swiftSettings: settings + cold),
    // Compares a record with another pack: verdicts, cases that must run again, requirements.
    library(
      "ConformanceUpgrade",
      [
        "ConformanceJudge", "ConformanceModel", "ConformanceRunner", "ConformanceTranscript", "ConformanceVerdict",
        "JSONKit", "TextKit",
      ]),
    // Certificates: keys, statements, bundles and what makes them valid.
    library(
      "Certification",
      [
        "COpenSSL", "ConformanceModel", "ConformanceReport", "ConformanceVerdict", "Digests", "HTTPValues", "JSONKit",
        "Templates",
      ]),
    // The data that the program carries; with the examples go the parts of adapters that no SDK and no protocol owns. A
    // target of the top level would have to name every other file there, such as reports of runs.
    library(
      "ConformanceData", resources: [.copy("../../spec"), .copy("../../Fixtures"), .copy("../../Examples")]),

    // An adapter around an SDK in Swift.
    library(
      "AdapterHost",
      [
        "AdapterProtocol", "ConformancePack", "ConformanceTranscript", "ConformanceVerdict", "ConformanceWire",
        "HTTPValues", "JSONKit", "Templates",
      ] + nio),

    // The parts of a reference SDK that no protocol owns.
    library(
      "ReferenceKit",
      [
        "AdapterHost", "AdapterProtocol", "ConformanceModel", "ConformancePack", "ConformanceTranscript",
        "ConformanceWire", "HTTPValues", "JSONKit", "Templates",
      ]),

    // The LinkForty SDK and server of the kit, with their defects.
    library(
      "LinkForty",
      [
        "ConformanceModel", "ConformancePack", "ConformanceTranscript", "ConformanceVerdict", "ConformanceWire",
        "HTTPValues", "JSONKit", "ReferenceKit", "Templates",
      ]),
    // The adapter of that SDK.
    .executableTarget(
      name: "LinkFortyAdapter",
      dependencies: [
        "AdapterHost", "AdapterProtocol", "ConformancePack", "ConformanceTLS", "ConformanceTranscript", "JSONKit",
        "LinkForty", "ReferenceKit",
      ],
      swiftSettings: settings),

    // The Mobile Engage SDK of the kit, with its defects.
    library(
      "MobileEngage",
      ["ConformanceModel", "ConformanceWire", "HTTPValues", "JSONKit", "ReferenceKit", "Templates"]),
    // The adapter of that SDK.
    .executableTarget(
      name: "MobileEngageAdapter",
      dependencies: [
        "AdapterHost", "AdapterProtocol", "ConformancePack", "ConformanceTranscript", "JSONKit", "MobileEngage",
        "ReferenceKit",
      ],
      swiftSettings: settings),

    // The Sentiance SDK and backend of the kit, with their defects.
    library(
      "Sentiance",
      ["ConformanceModel", "ConformanceWire", "Digests", "HTTPValues", "JSONKit", "ReferenceKit", "Templates"],
      resources: [.embedInCode("Backend/binding.yaml")]),
    // The adapter of that SDK.
    .executableTarget(
      name: "SentianceAdapter",
      dependencies: [
        "AdapterHost", "AdapterProtocol", "ConformancePack", "ConformanceTLS", "ConformanceTranscript",
        "ConformanceVerdict", "JSONKit", "ReferenceKit", "Sentiance",
      ],
      swiftSettings: settings),
    // A backend of a customer, as a server of its own.
    .executableTarget(
      name: "SentianceBackend",
      dependencies: [
        "ConformanceTLS", "ConformanceTranscript", "ConformanceWire", "HTTPValues", "ReferenceKit", "Sentiance",
        "Templates", .product(name: "NIOHTTP1", package: "swift-nio"),
      ] + nio,
      swiftSettings: settings),

    // The command, which alone knows all protocols.
    .executableTarget(
      name: "conform",
      dependencies: [
        "AdapterHost", "CLinux", "Certification", "ConformanceAuthoring", "ConformanceBench", "ConformanceData",
        "ConformanceJudge", "ConformanceModel", "ConformancePack", "ConformanceProvisioning", "ConformanceReport",
        "ConformanceRunner", "ConformanceSpec", "ConformanceTLS", "ConformanceTranscript", "ConformanceUpgrade",
        "ConformanceVerdict", "ConformanceWire", "HTTPValues", "JSONKit", "LinkForty", "MobileEngage", "ReferenceKit",
        "Sentiance",
        "Templates", "TextKit", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings + cold),

    // Measures the kit beside baselines taken in the same run; nothing asserts on time.
    .executableTarget(
      name: "conform-benchmarks",
      dependencies: [
        "AdapterProtocol", "CLinux", "ConformanceBench", "ConformanceModel", "ConformanceReport",
        "ConformanceTranscript", "ConformanceVerdict", "ConformanceWire", "HTTPValues", "JSONKit", "ServerRules",
        "Templates", .product(name: "NIOHTTP1", package: "swift-nio"),
      ] + nio,
      path: "Sources/ConformBenchmarks", swiftSettings: settings),

    // Drives the readers of what others write with mutated inputs, in-process.
    .executableTarget(
      name: "conform-fuzz",
      dependencies: [
        "AdapterProtocol", "CLinux", "ConformanceModel", "ConformanceReport", "ConformanceSpec", "ConformanceVerdict",
        "ConformanceWire", "HTTPValues", "JSONKit", "Templates",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/ConformFuzz", swiftSettings: settings),

    // Random and awkward values for the tests that hold for every value.
    .target(
      name: "RandomValues", dependencies: ["ConformanceModel", "HTTPValues", "JSONKit"],
      path: "Tests/RandomValues",
      swiftSettings: settings),
    // Starts programs for the tests that need some.
    .target(name: "Programs", dependencies: ["CLinux"], path: "Tests/Programs", swiftSettings: settings),
    tests("Digests"),
    tests(
      "JSONKit", ["ConformanceModel", "RandomValues"],
      resources: [.copy("JSON-Schema-Test-Suite")]),
    tests("TextKit"),
    tests("HTTPValues", ["ConformanceModel", "JSONKit", "RandomValues"]),
    tests("Templates", ["ConformanceModel", "JSONKit", "RandomValues"]),
    tests("ConformanceModel"),
    tests("ConformanceTranscript", ["ConformanceModel", "ConformanceVerdict", "HTTPValues", "JSONKit", "Templates"]),
    tests("ConformanceVerdict", ["ConformanceModel", "ConformanceTranscript", "JSONKit"]),
    tests("ServerRules", ["ConformanceModel", "HTTPValues", "JSONKit", "Templates"]),
    tests("AdapterProtocol", ["ConformanceModel", "JSONKit", "Templates"]),
    tests(
      "ConformanceSpec",
      [
        "ConformanceAuthoring", "ConformanceModel", "ConformancePack", "ConformanceProvisioning",
        "ConformanceTranscript", "ConformanceVerdict", "HTTPValues", "JSONKit", "Programs", "ServerRules", "Templates",
      ]),
    tests(
      "ConformanceJudge",
      [
        "ConformanceModel", "ConformancePack", "ConformanceTranscript", "ConformanceVerdict", "HTTPValues", "JSONKit",
        "Templates",
      ]),
    tests(
      "ConformanceWire",
      ["ConformanceModel", "ConformanceTLS", "ConformanceTranscript", "HTTPValues", "JSONKit", "Templates"] + nio),
    tests(
      "ConformanceBench",
      [
        "AdapterProtocol", "ConformanceModel", "ConformancePack", "ConformanceProvisioning", "ConformanceTranscript",
        "ConformanceWire", "HTTPValues", "JSONKit", "RandomValues", "ServerRules", "Templates",
      ] + nio),
    tests(
      "ConformanceRunner",
      [
        "ConformanceAuthoring", "ConformanceBench", "ConformanceJudge", "ConformanceModel", "ConformancePack",
        "ConformanceProvisioning", "ConformanceSpec", "ConformanceTLS", "ConformanceTranscript", "ConformanceVerdict",
        "ConformanceWire", "HTTPValues", "JSONKit", "ServerRules", "Templates", "TextKit",
      ],
      // A protocol that is a folder of data, and its subjects, found by their path.
      exclude: ["Beacon/spec", "Beacon/Fixtures", "Beacon/subjects"]),
    tests(
      "Certification", ["ConformanceModel", "ConformanceVerdict", "JSONKit", "Templates"]),
    tests(
      "ConformanceReport",
      [
        "CLibXML2", "ConformanceModel", "ConformanceTranscript", "ConformanceVerdict", "HTTPValues", "JSONKit",
        "Templates",
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
        "ConformanceModel", "ConformanceReport", "ConformanceTranscript", "ConformanceVerdict", "JSONKit",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    tests(
      "LinkForty",
      [
        "AdapterHost", "ConformanceModel", "ConformancePack", "ConformanceTranscript", "ConformanceVerdict",
        "ConformanceWire", "HTTPValues", "JSONKit", "ReferenceKit", "Templates",
      ]),
    tests(
      "MobileEngage",
      ["ConformanceTranscript", "ConformanceWire", "HTTPValues", "JSONKit", "ReferenceKit", "Templates"]),
    tests(
      "Sentiance",
      ["ConformanceTranscript", "ConformanceVerdict", "ConformanceWire", "HTTPValues", "JSONKit", "ReferenceKit"]),
    tests(
      "ReferenceKit",
      [
        "AdapterHost", "ConformanceModel", "ConformancePack", "ConformanceTranscript", "ConformanceWire", "HTTPValues",
        "JSONKit", "Templates",
      ]),
    // An adapter of an app that is no protocol's.
    .executableTarget(
      name: "ParcelAdapter", dependencies: ["AdapterHost", "AdapterProtocol", "ConformanceTranscript", "JSONKit"],
      path: "Tests/ParcelAdapter",
      swiftSettings: settings),
    tests("AdapterHost", ["AdapterProtocol", "ConformanceBench", "ConformanceTranscript", "JSONKit", "ParcelAdapter"]),
    // Runs the commands as their users do; they are built beside it.
    .testTarget(
      name: "ConformTests",
      dependencies: [
        "Certification", "ConformanceAuthoring", "ConformanceModel", "ConformanceReport", "ConformanceSpec",
        "ConformanceVerdict", "JSONKit", "LinkFortyAdapter", "Programs", "RandomValues", "conform",
      ],
      swiftSettings: settings),
  ]
)
