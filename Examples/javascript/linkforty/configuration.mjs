import { invalidConfiguration } from './errors.mjs';

const DEFAULT_WINDOW = 168;
const WINDOW = { least: 1, most: 2160 };
const LOCAL_HOSTS = ['localhost', '127.0.0.1'];

/**
 * The argument of initialize().
 * @typedef {object} Configuration
 * @property {string} baseUrl
 * @property {string} [apiKey]
 * @property {string} [appToken]
 * @property {string} [deviceId]  an advertising id, if the user has consented
 * @property {boolean} [debug]
 * @property {number} [attributionWindowHours]
 */

/** A server: its address and its path. @typedef {{ secure: boolean, host: string, port: string, path: string }} Base */

/** Checks configurations. Everything is checked before anything is sent. */
export class ConfigurationReader {
  constructor(choices) {
    this.choices = choices;
  }

  /** @param {Configuration} configuration */
  read(configuration = {}) {
    return {
      base: this.readBase(configuration.baseUrl),
      apiKey: this.readKey(configuration.apiKey),
      appToken: this.readText('appToken', configuration.appToken),
      deviceId: this.readText('deviceId', configuration.deviceId),
      debug: configuration.debug === true,
      window: this.readWindow(configuration.attributionWindowHours),
    };
  }

  /** @returns {Base} */
  readBase(text) {
    if (typeof text !== 'string' || text === '') throw invalidConfiguration('there is no base URL');
    const url = this.parse(text);
    // The host as written, since the class URL changes 127.1 and 0x7f000001 into a local address.
    const host = this.writtenHost(text);
    if (url.protocol !== 'https:' && !this.isLocal(host)) throw invalidConfiguration('the base URL is not HTTPS');
    return { secure: url.protocol === 'https:', host: url.hostname, port: url.port, path: this.readPath(url) };
  }

  parse(text) {
    // The class URL accepts texts that are not URLs: with spaces around them, with backslashes, or like "https:host".
    if (!/^https?:\/\/[^/?#]/i.test(text) || /[\s\\]/.test(text)) throw invalidConfiguration('the base URL is no HTTP URL');
    try {
      return new URL(text);
    } catch (cause) {
      throw invalidConfiguration('the base URL is no URL', cause);
    }
  }

  writtenHost(text) {
    const authority = /^[^/]*\/\/([^/?#]*)/.exec(text)[1];
    return authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '').toLowerCase();
  }

  isLocal(host) {
    return LOCAL_HOSTS.includes(host);
  }

  readPath(url) {
    if (this.choices.baseQuery === 'refuse' && (url.search || url.hash)) {
      throw invalidConfiguration('the base URL has a query or a fragment');
    }
    return url.pathname.replace(/\/+$/, '');
  }

  /** An empty key counts as no key. A key that a header field cannot contain is refused here, not at the first request. */
  readKey(key) {
    const text = this.readText('apiKey', key);
    if (text && !/^[\x20-\x7e]+$/.test(text)) throw invalidConfiguration('the API key has characters that no header can have');
    return text || undefined;
  }

  readText(name, value) {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string') throw invalidConfiguration(`${name} is no text`);
    return value;
  }

  readWindow(hours) {
    if (hours === undefined || hours === null) return this.defaultWindow();
    if (typeof hours !== 'number' || Number.isNaN(hours)) throw invalidConfiguration('the attribution window is no number');
    if (!this.isWithinBounds(hours)) throw invalidConfiguration('the attribution window is not within 1 to 2160 hours');
    if (this.choices.fractionalWindow === 'refuse' && !Number.isInteger(hours)) {
      throw invalidConfiguration('the attribution window is no whole number of hours');
    }
    return { hours, isDefault: false };
  }

  defaultWindow() {
    return { hours: DEFAULT_WINDOW, isDefault: true };
  }

  isWithinBounds(hours) {
    return hours >= WINDOW.least && hours <= WINDOW.most;
  }
}
