// swift-tools-version: 5.9
import PackageDescription

let package = Package(
  name: "adapter",
  // A package of an SDK can depend on this folder by its path, and write its adapter in a target of its own.
  products: [.library(name: "ConformAdapter", targets: ["ConformAdapter"])],
  targets: [
    .target(name: "ConformAdapter"),
    .executableTarget(name: "Adapter", dependencies: ["ConformAdapter"]),
  ])
