extension Template {
  /// The names of the template's holes, without repetitions. Dotted names are not shortened to their first word.
  package var fullHoleNames: [String] {
    var names: [String] = []
    node.visitHoles { hole in
      if let name = hole.name, !names.contains(name) { names.append(name) }
    }
    return names
  }
}
