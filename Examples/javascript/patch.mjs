/** Replaces one method. @param {(original: Function) => Function} make */
export function patch(Class, method, make) {
  Class.prototype[method] = make(Class.prototype[method]);
}

/** Joins several tables. A name that occurs in two of them is an error. */
export function join(...tables) {
  const joined = {};
  for (const [name, entry] of tables.flatMap(Object.entries)) {
    if (Object.hasOwn(joined, name)) throw new Error(`there are two of ${name}`);
    joined[name] = entry;
  }
  return joined;
}
