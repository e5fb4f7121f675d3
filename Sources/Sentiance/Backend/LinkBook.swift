/// The data of a backend about its users: the installs of each, and the Sentiance id for support. Source: User linking,
/// the steps 4 and 5.
struct LinkBook: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    var sentianceID: String
    /// The installs, the newest first.
    var installs: [String]
  }

  private var entries: [String: Entry] = [:]

  /// The entry of a user, by the external id.
  subscript(externalID: String) -> Entry? { entries[externalID] }

  /// An install belongs to the last user that it was linked to.
  mutating func keep(_ installID: String, of externalID: String, as sentianceID: String) {
    for owner in entries.keys { entries[owner]?.installs.removeAll { $0 == installID } }
    entries[externalID] = Entry(
      sentianceID: sentianceID, installs: [installID] + (entries[externalID]?.installs ?? []))
  }

  mutating func forget(_ externalID: String) { entries[externalID] = nil }
}
