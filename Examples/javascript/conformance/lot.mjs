/** A source of random numbers from 0 up to 1. The same seed results in the same numbers. */
export function seededRandom(seed) {
  let state = seed % 2 ** 32;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A source of random UUIDs (version 4). The same seed results in the same UUIDs. */
export function seededUuids(seed) {
  const random = seededRandom(seed);
  const digit = () => Math.floor(random() * 16);
  return () => 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (letter) =>
    (letter === 'x' ? digit() : (digit() & 3) | 8).toString(16));
}
