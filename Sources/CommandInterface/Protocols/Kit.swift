/// This kit, by name and version.
package enum Kit {
  package static let name = "conform 0.2.0"
}
