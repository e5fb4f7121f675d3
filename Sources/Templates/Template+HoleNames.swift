extension Template {
  /// The names of the template's holes, without repetitions. A dotted name is returned as a whole.
  package var fullHoleNames: [String] {
    var names: [String] = []
    node.visitHoles { hole in
      if let name = hole.name, !names.contains(name) { names.append(name) }
    }
    return names
  }
}
