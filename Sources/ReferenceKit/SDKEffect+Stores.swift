extension SDKEffect {
  /// Whether the effect can be noticed outside the app, or depends on the stored files. All earlier writes must be
  /// carried out before such an effect.
  fileprivate var isSeen: Bool {
    switch self {
    case .load, .erase, .send, .reply, .callback, .crash: true
    case .store, .remove, .note, .cancel, .startTimer, .stopTimer, .log: false
    }
  }

  /// The file that the effect replaces or removes as a whole; nil for any other effect.
  fileprivate var settled: File? {
    switch self {
    case .store(let file, _), .remove(let file): file
    default: nil
    }
  }
}

extension Array {
  /// The effects without unnecessary writes. If several effects between two visible effects replace or remove the same
  /// file, only the last of them is kept, and it moves to the position of the first. So if the app is killed between
  /// two of the effects, it has stored at least as much as if all writes were kept.
  func withoutStoresInBetween<File: Hashable, Timer, Failure>() -> Self
  where Element == SDKEffect<File, Timer, Failure> {
    guard count > 1 else { return self }
    var stores = 0
    for effect in self where effect.settled != nil { stores += 1 }
    guard stores > 1 else { return self }
    var kept: Self = []
    var places: [File: Int] = [:]
    for effect in self {
      if effect.isSeen { places = [:] }
      guard let file = effect.settled else {
        kept.append(effect)
        continue
      }
      if let place = places[file] {
        kept[place] = effect
      } else {
        places[file] = kept.count
        kept.append(effect)
      }
    }
    return kept
  }
}
