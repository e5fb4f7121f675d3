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
    .executable(name: "linkforty-adapter", targets: ["LinkFortyAdapter"]),
    .executable(name: "mobile-engage-adapter", targets: ["MobileEngageAdapter"]),
    .executable(name: "sentiance-adapter", targets: ["SentianceAdapter"]),
    .executable(name: "sentiance-backend", targets: ["SentianceBackend"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // JSON as a value that loses nothing; knows no word of the kit.
    library("JSONKit"),
    // The nouns: values only, no I/O.
    library("ConformanceModel", ["JSONKit"]),

    // The lines of the adapter protocol, for the kit and for adapters in Swift.
    library("AdapterProtocol", ["ConformanceModel", "JSONKit"]),

    // What the core is made of.
    library(
      "ConformanceSpec",
      [
        "CLinux", "ConformanceModel", "Digests", "JSONKit", .product(name: "Yams", package: "Yams"),
      ]),
    // What the authors of a catalogue ask of it: lint, coverage, explanations, its form.
    .target(
      name: "ConformanceAuthoring",
      dependencies: ["ConformanceModel", "ConformanceSpec", "JSONKit"],
      swiftSettings: settings + cold),
    library("ConformanceJudge", ["ConformanceModel", "JSONKit"]),
    // What only Linux has: a port of the kit begins here.
    .target(name: "CLinux"),
    library("ConformanceWire", ["CLinux", "ConformanceModel", "JSONKit"] + nio),
    // The system's own library for TLS and digests: as C it would take longer to build than the whole kit. Without
    // pkg-config, which would have linkers look into the system's folder before that of its archives (bin/setup).
    .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
    library("Digests", ["COpenSSL"]),
    // TLS for both sides of the wire, apart from it: who speaks plain HTTP links no library for more.
    library("ConformanceTLS", ["COpenSSL", "ConformanceModel", "ConformanceWire"] + nio),
    library(
      "ConformanceBench", ["AdapterProtocol", "CLinux", "ConformanceModel", "ConformanceWire", "JSONKit"] + nio),
    library(
      "ConformanceRunner",
      [
        "AdapterProtocol", "ConformanceModel", "ConformanceJudge", "ConformanceBench", "ConformanceWire", "JSONKit",
      ]),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    library(
      "ConformanceReport",
      [
        "CLinux", "ConformanceModel", "CLibXML2", "Digests", "JSONKit",
        .product(name: "Mustache", package: "swift-mustache"),
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
    // Certificates: keys, statements, bundles and what makes them valid; commands read and write the files.
    library(
      "Certification",
      ["COpenSSL", "ConformanceModel", "ConformanceReport", "Digests", "JSONKit"]),
    // The data that the program carries; with the examples go the parts of adapters that no SDK and no protocol owns. A
    // target of the top level would have to name every other file there, such as reports of runs.
    library(
      "ConformanceData", resources: [.copy("../../spec"), .copy("../../Fixtures"), .copy("../../Examples")]),

    // An adapter around an SDK in Swift.
    library("AdapterHost", ["AdapterProtocol", "ConformanceModel", "ConformanceWire", "JSONKit"] + nio),

    // What every reference peer needs and no protocol owns.
    library("ReferenceKit", ["AdapterHost", "AdapterProtocol", "ConformanceModel", "ConformanceWire", "JSONKit"]),

    // One pack a protocol, beside the core.
    library("LinkForty", ["ConformanceModel", "ConformanceWire", "JSONKit", "ReferenceKit"]),
    .executableTarget(
      name: "LinkFortyAdapter",
      dependencies: [
        "AdapterHost", "AdapterProtocol", "ConformanceModel", "ConformanceTLS", "JSONKit", "LinkForty", "ReferenceKit",
      ],
      swiftSettings: settings),

    library("MobileEngage", ["ConformanceModel", "ConformanceWire", "JSONKit", "ReferenceKit"]),
    .executableTarget(
      name: "MobileEngageAdapter",
      dependencies: ["AdapterHost", "AdapterProtocol", "ConformanceModel", "JSONKit", "MobileEngage", "ReferenceKit"],
      swiftSettings: settings),

    library(
      "Sentiance",
      ["ConformanceModel", "ConformanceWire", "Digests", "JSONKit", "ReferenceKit"],
      resources: [.embedInCode("Backend/binding.yaml")]),
    .executableTarget(
      name: "SentianceAdapter",
      dependencies: [
        "AdapterHost", "AdapterProtocol", "ConformanceModel", "ConformanceTLS", "JSONKit", "ReferenceKit", "Sentiance",
      ],
      swiftSettings: settings),
    // A backend of a customer, as a server of its own.
    .executableTarget(
      name: "SentianceBackend",
      dependencies: [
        "ConformanceModel", "ConformanceTLS", "ConformanceWire", "ReferenceKit", "Sentiance",
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ] + nio,
      swiftSettings: settings),

    // The command: the only place that knows all packs.
    .executableTarget(
      name: "conform",
      dependencies: [
        "AdapterHost", "Certification", "CLinux", "ConformanceAuthoring", "ConformanceBench", "ConformanceData",
        "ConformanceJudge", "ConformanceModel", "ConformanceReport", "ConformanceRunner", "ConformanceSpec",
        "ConformanceTLS", "ConformanceWire", "JSONKit", "LinkForty", "MobileEngage", "ReferenceKit", "Sentiance",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings + cold),

    // Measures the kit beside baselines taken in the same run; nothing asserts on time.
    .executableTarget(
      name: "conform-benchmarks",
      dependencies: [
        "AdapterProtocol", "CLinux", "ConformanceBench", "ConformanceModel", "ConformanceReport", "ConformanceWire",
        "JSONKit", .product(name: "NIOHTTP1", package: "swift-nio"),
      ] + nio,
      path: "Sources/ConformBenchmarks", swiftSettings: settings),

    // Drives the readers of what others write with mutated inputs, in-process.
    .executableTarget(
      name: "conform-fuzz",
      dependencies: [
        "AdapterProtocol", "CLinux", "ConformanceModel", "ConformanceReport", "ConformanceSpec", "ConformanceWire",
        "JSONKit", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/ConformFuzz", swiftSettings: settings),

    // Random and awkward values for the tests that hold for every value.
    .target(
      name: "RandomValues", dependencies: ["ConformanceModel", "JSONKit"], path: "Tests/RandomValues",
      swiftSettings: settings),
    // Starts programs for the tests that need some.
    .target(name: "Programs", dependencies: ["CLinux"], path: "Tests/Programs", swiftSettings: settings),
    tests("Digests"),
    tests("JSONKit", ["ConformanceModel", "RandomValues"], resources: [.copy("JSON-Schema-Test-Suite")]),
    tests("ConformanceModel", ["JSONKit", "RandomValues"]),
    tests("AdapterProtocol", ["ConformanceModel", "JSONKit"]),
    tests("ConformanceSpec", ["ConformanceAuthoring", "ConformanceModel", "JSONKit", "Programs"]),
    tests("ConformanceJudge", ["ConformanceModel", "JSONKit"]),
    tests("ConformanceWire", ["ConformanceModel", "ConformanceTLS", "JSONKit"] + nio),
    tests(
      "ConformanceBench", ["AdapterProtocol", "ConformanceModel", "JSONKit", "ConformanceWire", "RandomValues"] + nio),
    tests(
      "ConformanceRunner",
      [
        "ConformanceAuthoring", "ConformanceBench", "ConformanceJudge", "ConformanceModel", "ConformanceSpec",
        "ConformanceTLS", "ConformanceWire", "JSONKit",
      ],
      // A protocol that is a folder of data, and its subjects, found by their path.
      exclude: ["Beacon/spec", "Beacon/Fixtures", "Beacon/subjects"]),
    tests("Certification", ["ConformanceModel", "JSONKit"]),
    tests("ConformanceReport", ["ConformanceModel", "JSONKit", "CLibXML2"]),
    tests("LinkForty", ["AdapterHost", "ConformanceModel", "ConformanceWire", "JSONKit", "ReferenceKit"]),
    tests("MobileEngage", ["ConformanceModel", "ConformanceWire", "JSONKit", "ReferenceKit"]),
    tests("Sentiance", ["ConformanceModel", "ConformanceWire", "JSONKit", "ReferenceKit"]),
    tests("ReferenceKit", ["AdapterHost", "ConformanceModel", "ConformanceWire", "JSONKit"]),
    // An adapter of an app that is no protocol's.
    .executableTarget(
      name: "ParcelAdapter", dependencies: ["AdapterHost", "AdapterProtocol", "ConformanceModel", "JSONKit"],
      path: "Tests/ParcelAdapter",
      swiftSettings: settings),
    tests("AdapterHost", ["AdapterProtocol", "ConformanceBench", "ConformanceModel", "JSONKit", "ParcelAdapter"]),
    // Runs the commands as their users do; they are built beside it.
    .testTarget(
      name: "ConformTests",
      dependencies: [
        "conform", "LinkFortyAdapter", "Certification", "ConformanceAuthoring", "ConformanceModel", "ConformanceReport",
        "ConformanceSpec", "JSONKit", "Programs", "RandomValues",
      ],
      swiftSettings: settings),
  ]
)
