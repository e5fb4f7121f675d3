extension Template {
  /// The full names of the template's holes, without repetitions.
  package var fullHoleNames: [String] {
    var names: [String] = []
    node.visitHoles { hole in
      if let name = hole.name, !names.contains(name) { names.append(name) }
    }
    return names
  }
}
