extension SDKEffect {
  /// Whether the effect is visible outside. All earlier writes must be stored before such an effect.
  fileprivate var isSeen: Bool {
    switch self {
    case .load, .erase, .send, .reply, .callback, .crash: true
    case .store, .remove, .note, .cancel, .startTimer, .stopTimer, .log: false
    }
  }

  /// The file whose contents the effect replaces.
  fileprivate var settled: File? {
    switch self {
    case .store(let file, _), .remove(let file): file
    default: nil
    }
  }
}

extension Array {
  /// The effects with one store for each file between two that somebody may see: of several the value of the last, in
  /// the place of the first. An app that is killed in between then finds no less than it would have found.
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
