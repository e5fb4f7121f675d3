import { isObject } from './answers.mjs';

/** The data that the SDK keeps across launches, in several parts. An unreadable part counts as never stored. */
export class Memory {
  /** Grows with each wipe. Work that began before a wipe must not store its results. */
  era = 0;

  constructor(storage) {
    this.storage = storage;
  }

  /** @returns {import('./answers.mjs').Install | undefined} */
  install() {
    const install = this.read('install');
    return isObject(install) && typeof install.installId === 'string' ? install : undefined;
  }

  saveInstall(install) {
    this.write('install', install);
  }

  installId() {
    return this.install()?.installId ?? null;
  }

  deepLinkData() {
    return this.install()?.deepLinkData ?? null;
  }

  wasLaunched() {
    return this.storage.get('launched') !== undefined;
  }

  markLaunched() {
    this.write('launched', true);
  }

  wasDelivered() {
    return this.storage.get('delivered') !== undefined;
  }

  markDelivered() {
    if (!this.wasDelivered()) this.write('delivered', true);
  }

  /** @returns {object[]} */
  events() {
    return this.list('queue');
  }

  saveEvents(events) {
    this.write('queue', events);
  }

  /** The events that were being sent when an earlier launch ended. @returns {object[]} */
  departed() {
    return this.list('departed');
  }

  saveDeparted(events) {
    this.write('departed', events);
  }

  wipe() {
    this.era += 1;
    this.storage.clear();
  }

  list(name) {
    const list = this.read(name);
    return Array.isArray(list) ? list.filter((event) => isObject(event) && typeof event.name === 'string') : [];
  }

  read(name) {
    try {
      return JSON.parse(this.storage.get(name));
    } catch {
      return undefined;
    }
  }

  write(name, value) {
    this.storage.set(name, JSON.stringify(value));
  }
}
