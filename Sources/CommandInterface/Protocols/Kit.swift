/// The name and the version of this kit.
package enum Kit {
  package static let name = "conform 0.2.0"
}
