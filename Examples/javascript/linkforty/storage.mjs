import fs from 'node:fs';
import path from 'node:path';

/**
 * Named texts in a folder, like the preferences of platforms: in one JSON file, or in one file for each text.
 * A file is replaced as a whole, so that after a kill the folder has the old or the new file.
 */
export class FolderStorage {
  /** @type {Map<string, string>} */
  texts;
  dirty = false;

  constructor(folder, choices, log) {
    Object.assign(this, { folder, choices, log });
    this.texts = new Map(this.load());
  }

  get(name) {
    return this.texts.get(name);
  }

  set(name, text) {
    this.texts.set(name, text);
    this.changed();
  }

  remove(name) {
    if (this.texts.delete(name)) this.changed();
  }

  clear() {
    this.texts.clear();
    this.changed();
  }

  changed() {
    if (this.choices.writes === 'at-once') return this.write();
    if (!this.dirty) queueMicrotask(() => this.flush());
    this.dirty = true;
  }

  /** Writes all unwritten data. */
  flush() {
    if (this.dirty) this.write();
    this.dirty = false;
  }

  /** Writes the files. A full disk must not end the app. Unwritten data stays in memory. */
  write() {
    try {
      if (this.choices.filePerPart) this.writeParts();
      else this.writeFile('linkforty.json', JSON.stringify(Object.fromEntries(this.texts)));
    } catch (error) {
      this.log('the storage could not be written', error);
    }
  }

  writeParts() {
    for (const file of this.partFiles()) {
      if (!this.texts.has(file.slice('linkforty-'.length))) fs.rmSync(path.join(this.folder, file));
    }
    for (const [name, text] of this.texts) this.writeFile(`linkforty-${name}`, text);
  }

  writeFile(name, text) {
    const file = path.join(this.folder, name);
    fs.writeFileSync(`${file}.new`, text);
    fs.renameSync(`${file}.new`, file);
  }

  readFile(name) {
    return fs.readFileSync(path.join(this.folder, name), 'utf8');
  }

  partFiles() {
    return fs.readdirSync(this.folder).filter((file) => file.startsWith('linkforty-') && !file.endsWith('.new'));
  }

  /** @returns {[string, string][]} unreadable data counts as never stored */
  load() {
    try {
      if (this.choices.filePerPart) {
        return this.partFiles().map((file) => [file.slice('linkforty-'.length), this.readFile(file)]);
      }
      const texts = JSON.parse(this.readFile('linkforty.json'));
      return Object.entries(texts).filter(([, text]) => typeof text === 'string');
    } catch (error) {
      if (error.code !== 'ENOENT') this.log('the storage could not be read', error);
      return [];
    }
  }
}

/** Overwrites one part of the data in a folder. */
export function corruptFile(folder, name, garbage) {
  const file = path.join(folder, 'linkforty.json');
  if (!fs.existsSync(file)) return fs.writeFileSync(path.join(folder, `linkforty-${name}`), garbage);
  const parts = JSON.parse(fs.readFileSync(file, 'utf8'));
  fs.writeFileSync(file, JSON.stringify({ ...parts, [name]: garbage }));
}
