/// The data of a backend about its users: the installs of each user, and the user's Sentiance id. The support of
/// Sentiance asks for this id. Source: User linking, steps 4 and 5.
struct LinkBook: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    var sentianceID: String
    /// The installs, the newest first.
    var installs: [String]
  }

  private var entries: [String: Entry] = [:]

  /// The entry of the user with this external id; nil if the backend has not linked this user.
  subscript(externalID: String) -> Entry? { entries[externalID] }

  /// Stores an install of a user, and removes it from any other user: an install belongs only to the user to whom it
  /// was linked last.
  mutating func keep(_ installID: String, of externalID: String, as sentianceID: String) {
    for owner in entries.keys { entries[owner]?.installs.removeAll { $0 == installID } }
    entries[externalID] = Entry(
      sentianceID: sentianceID, installs: [installID] + (entries[externalID]?.installs ?? []))
  }

  mutating func forget(_ externalID: String) { entries[externalID] = nil }
}
