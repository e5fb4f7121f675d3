const PREFIX = 'linkforty:';

/** Named texts in the storage of the browser, below the name of the app's storage. */
export class LocalStorage {
  /** @param {string} name @param {object} choices @param {(text: string, error?: Error) => void} log */
  constructor(name, choices, log) {
    Object.assign(this, { key: keyOf(name), log });
    // A removed app leaves no data behind.
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX) && key !== this.key) localStorage.removeItem(key);
    this.texts = this.load();
  }

  get(name) {
    return this.texts.get(name);
  }

  set(name, text) {
    this.texts.set(name, text);
    this.flush();
  }

  remove(name) {
    if (this.texts.delete(name)) this.flush();
  }

  clear() {
    this.texts.clear();
    this.flush();
  }

  /** Writes to the storage. A full storage must not end the app. Unwritten data stays in memory. */
  flush() {
    try {
      localStorage.setItem(this.key, JSON.stringify(Object.fromEntries(this.texts)));
    } catch (error) {
      this.log('the storage could not be written', error);
    }
  }

  /** @returns {Map<string, string>} unreadable data counts as never stored */
  load() {
    try {
      const texts = JSON.parse(localStorage.getItem(this.key) ?? '{}');
      return new Map(Object.entries(texts).filter(([, text]) => typeof text === 'string'));
    } catch (error) {
      this.log('the storage could not be read', error);
      return new Map();
    }
  }
}

/** Overwrites one part of the stored data. */
export function corruptStored(name, part, garbage) {
  const texts = JSON.parse(localStorage.getItem(keyOf(name)) ?? '{}');
  localStorage.setItem(keyOf(name), JSON.stringify({ ...texts, [part]: garbage }));
}

const keyOf = (name) => PREFIX + name;
