extension LintRow {
  static let all =
    ports + identity + requirements + cases + references + labels + defects + fixtures + strength
    + values + coverage
}
