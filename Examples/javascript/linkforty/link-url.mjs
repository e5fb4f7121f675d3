import { CAMPAIGN } from './answers.mjs';

/**
 * The parts of a URL. `segments` are as written, without the segments of the base URL. `isOurs` is true if the URL is
 * below the base URL, so that the SDK may ask the server about it.
 * @typedef {object} LinkURL
 * @property {string} scheme
 * @property {string} host
 * @property {string} port
 * @property {string[]} segments
 * @property {[string, string][]} parameters
 * @property {boolean} isOurs
 */

/** Reads the URLs of links: their server, their code and their parameters. */
export class LinkReader {
  constructor(choices) {
    this.choices = choices;
  }

  /** @param {string} text @param {import('./configuration.mjs').Base} base @returns {LinkURL} */
  takeApart(text, base) {
    const { scheme, authority, path, query } = this.split(text);
    const { host, port } = this.hostAndPort(authority);
    const url = { scheme: scheme.toLowerCase(), host, port, parameters: this.parameters(query) };
    const segments = this.withoutDots(this.segments(path));
    const prefix = this.segments(base.path);
    const isOurs = this.isOf(base, url) && prefix.every((segment, index) => segment === segments[index]);
    return { ...url, isOurs, segments: isOurs ? segments.slice(prefix.length) : segments };
  }

  split(text) {
    if (this.choices.urlParser === 'whatwg') return this.splitAsBrowsersDo(text);
    return this.splitAsWritten(text);
  }

  splitAsWritten(text) {
    const [, scheme = '', authority = '', path, query = ''] =
      /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/s.exec(text);
    return { scheme, authority, path, query };
  }

  splitAsBrowsersDo(text) {
    if (!isURL(text)) return this.splitAsWritten(text);
    const url = new URL(text);
    return { scheme: url.protocol.slice(0, -1), authority: url.host, path: url.pathname, query: url.search.slice(1) };
  }

  hostAndPort(authority) {
    const [, host, port = ''] = /^(?:.*@)?(.*?)(?::(\d*))?$/s.exec(authority);
    return { host: host.toLowerCase(), port };
  }

  segments(path) {
    return path.split('/').filter((segment) => segment !== '');
  }

  /** Removes dot segments (RFC 3986, 5.2.4), also those that are written %2E. */
  withoutDots(segments) {
    const kept = [];
    for (const segment of segments) {
      const plain = segment.replace(/%2e/gi, '.');
      if (plain === '..') kept.pop();
      else if (plain !== '.') kept.push(segment);
    }
    return kept;
  }

  /** Whether a URL has the host and the port of this server. */
  isOf(base, { scheme, host, port }) {
    if (scheme !== 'https' && scheme !== 'http') return false;
    const ownScheme = base.secure ? 'https' : 'http';
    if (this.choices.schemeMatters && scheme !== ownScheme) return false;
    return host === base.host.toLowerCase() && this.portOf(scheme, port) === this.portOf(ownScheme, base.port);
  }

  /** The port, or '' for the default port of the scheme. */
  portOf(scheme, port) {
    return port === (scheme === 'https' ? '443' : '80') ? '' : port;
  }

  /** The segments to resolve: a short code, or a template's slug and a short code; empty if they cannot be resolved. */
  resolvable(segments) {
    if (segments.length <= 2) return segments;
    if (this.choices.manySegments === 'last') return segments.slice(-2);
    return this.choices.manySegments === 'first' ? segments.slice(0, 2) : [];
  }

  /** The data that the URL itself contains. @returns {import('./answers.mjs').DeepLinkData | null} */
  localData(url) {
    const shortCode = this.shortCode(url);
    if (!shortCode) return null;
    const campaign = this.campaign(url.parameters);
    const custom = this.custom(url.parameters);
    return {
      shortCode,
      ...(campaign.length ? { utmParameters: Object.fromEntries(campaign) } : {}),
      ...(custom.length ? { customParameters: Object.fromEntries(custom) } : {}),
    };
  }

  shortCode(url) {
    const code = this.isCustom(url) ? this.customCode(url) : this.lastCode(url.segments);
    return code === undefined || this.choices.rawShortCode ? code : this.decode(code);
  }

  lastCode(segments) {
    const resolvable = this.resolvable(segments);
    return (resolvable.length ? resolvable : segments).at(-1);
  }

  isCustom({ scheme }) {
    return scheme !== 'http' && scheme !== 'https';
  }

  /** In myapp://product/123, the part in the place of the host is the first part of the path. */
  customCode({ host, segments }) {
    const parts = [host, ...segments].filter((part) => part !== '');
    return this.choices.customSchemeCode === 'host' ? parts[0] : parts.at(-1);
  }

  /** @returns {[string, string][]} names and values, each name once */
  parameters(query) {
    const pairs = query.split('&').filter((part) => part !== '' && this.isKept(part)).map((part) => this.pair(part));
    return this.oncePerName(pairs);
  }

  isKept(part) {
    return this.choices.flag === 'empty' || part.includes('=');
  }

  pair(part) {
    const equals = part.indexOf('=');
    const [name, value] = equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
    return [this.decodeParameter(name), this.decodeParameter(value)];
  }

  oncePerName(pairs) {
    const inOrder = this.choices.repeated === 'first' ? [...pairs].reverse() : pairs;
    return [...new Map(inOrder)];
  }

  campaign(parameters) {
    return parameters.filter(([name]) => this.isCampaign(name)).map(([name, value]) => [name.slice('utm_'.length), value]);
  }

  custom(parameters) {
    return parameters.filter(([name]) => !this.isCampaign(name) && !this.isDropped(name));
  }

  isCampaign(name) {
    return name.startsWith('utm_') && CAMPAIGN.includes(name.slice('utm_'.length));
  }

  isDropped(name) {
    return this.choices.dropsOtherCampaign && name.startsWith('utm_');
  }

  decodeParameter(text) {
    return this.decode(this.choices.plus === 'space' ? text.replaceAll('+', ' ') : text);
  }

  /** Decodes the valid escapes. A malformed escape stays as written, so that the link is not lost. */
  decode(text) {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
      try {
        return decodeURIComponent(escapes);
      } catch {
        return escapes;
      }
    });
  }
}

function isURL(text) {
  try {
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}
