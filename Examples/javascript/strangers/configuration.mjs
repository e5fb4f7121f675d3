import { Api } from '../linkforty/api.mjs';
import { ConfigurationReader } from '../linkforty/configuration.mjs';
import { invalidConfiguration, LinkFortyError } from '../linkforty/errors.mjs';
import { LinkForty } from '../linkforty/linkforty.mjs';
import { patch } from '../patch.mjs';

const authority = (text) => /^[^/]*\/\/([^/?#]*)/.exec(text)[1];

export const DEFECTS = {
  // ----- The base URL

  'config.missing-base-from-storage': () =>
    patch(LinkForty, 'initialize', (original) => async function (configuration) {
      const before = this.session;
      const baseUrl = configuration?.baseUrl ?? this.memory.read('base');
      const outcome = original.call(this, { ...configuration, baseUrl });
      if (this.session !== before) this.memory.write('base', baseUrl);
      return outcome;
    }),

  'config.host-needs-a-dot': () =>
    patch(ConfigurationReader, 'readBase', (original) => function (text) {
      const base = original.call(this, text);
      if (base.secure && !base.host.includes('.')) throw invalidConfiguration('the host of the base URL is none');
      return base;
    }),

  'config.localhost-with-port-rejected': () =>
    patch(ConfigurationReader, 'writtenHost', (original) => function (text) {
      const host = original.call(this, text);
      return host === 'localhost' ? authority(text).toLowerCase() : host;
    }),

  'config.loopback-with-path-rejected': () =>
    patch(ConfigurationReader, 'writtenHost', (original) => function (text) {
      const host = original.call(this, text);
      return host === '127.0.0.1' && !/^http:\/\/127\.0\.0\.1(:\d+)?$/i.test(text) ? 'another' : host;
    }),

  'config.dot-local-allowed': () =>
    patch(ConfigurationReader, 'isLocal', (original) => function (host) {
      return original.call(this, host) || /\.(local|test)$/.test(host);
    }),

  'config.http-with-port-allowed': () =>
    patch(ConfigurationReader, 'writtenHost', (original) => function (text) {
      return /:\d+$/.test(authority(text)) ? 'localhost' : original.call(this, text);
    }),

  'config.localhost-in-fragment': () =>
    patch(ConfigurationReader, 'writtenHost', (original) => function (text) {
      const last = text.split('#').at(-1).split('/').at(-1).toLowerCase();
      return text.includes('#') && this.isLocal(last) ? last : original.call(this, text);
    }),

  'config.user-and-password-local': () =>
    patch(ConfigurationReader, 'writtenHost', (original) => function (text) {
      const named = authority(text);
      return /:.*@/.test(named) ? named.slice(0, named.indexOf(':')).toLowerCase() : original.call(this, text);
    }),

  'config.scheme-in-capitals': () =>
    patch(ConfigurationReader, 'parse', (original) => function (text) {
      if (!/^https?:/.test(text)) throw invalidConfiguration('the scheme of the base URL is neither http nor https');
      return original.call(this, text);
    }),

  'config.ftp-at-home': () =>
    patch(ConfigurationReader, 'parse', (original) => function (text) {
      const isOther = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^/?#\s\\]/i.test(text);
      return isOther && this.isLocal(this.writtenHost(text)) ? new URL(text) : original.call(this, text);
    }),

  'config.parser-error-escapes': () =>
    patch(ConfigurationReader, 'parse', (original) => function (text) {
      new URL(text);
      return original.call(this, text);
    }),

  'config.invalid-url-is-network': () =>
    patch(ConfigurationReader, 'isLocal', (original) => function (host) {
      if (!original.call(this, host)) throw new LinkFortyError('network', 'the base URL is not HTTPS');
      return true;
    }),

  'config.last-segment-dropped': () => {
    patch(ConfigurationReader, 'readBase', (original) => function (text) {
      const base = original.call(this, text);
      const isFolder = new URL(text).pathname.endsWith('/');
      return { ...base, folder: isFolder ? base.path : base.path.slice(0, base.path.lastIndexOf('/')) };
    });
    patch(Api, 'target', () => function (path) {
      return this.configuration.base.folder + path;
    });
  },

  // ----- The attribution window

  'config.zero-is-unset': () =>
    patch(ConfigurationReader, 'readWindow', (original) => function (hours) {
      return original.call(this, hours || undefined);
    }),

  'config.a-day-at-least': () => patch(ConfigurationReader, 'isWithinBounds', () => (hours) => hours >= 24 && hours <= 2160),

  'config.most-is-too-much': () => patch(ConfigurationReader, 'isWithinBounds', () => (hours) => hours >= 1 && !(hours >= 2160)),

  'config.clamped': () =>
    patch(ConfigurationReader, 'readWindow', (original) => function (hours) {
      return original.call(this, hours > 2160 ? 2160 : hours);
    }),

  'config.negative-made-positive': () =>
    patch(ConfigurationReader, 'readWindow', (original) => function (hours) {
      return original.call(this, typeof hours === 'number' ? Math.abs(hours) : hours);
    }),

  'config.default-in-days': () => patch(ConfigurationReader, 'defaultWindow', () => () => ({ hours: 7, isDefault: true })),

  'config.default-in-seconds': () =>
    patch(ConfigurationReader, 'defaultWindow', () => () => ({ hours: 604_800, isDefault: true })),

  'config.window-error-generic': () =>
    patch(ConfigurationReader, 'isWithinBounds', (original) => function (hours) {
      if (!original.call(this, hours)) throw new RangeError('the attribution window is out of bounds');
      return true;
    }),

  // ----- The key, and the debug mode

  'config.bearer-null': () =>
    patch(Api, 'headers', (original) => function (target, body) {
      const fields = original.call(this, target, body);
      return body && !this.configuration.apiKey ? [...fields, [this.spell('Authorization'), 'Bearer null']] : fields;
    }),

  'config.key-before-validation': () =>
    patch(LinkForty, 'initialize', (original) => async function (configuration) {
      const apiKey = configuration?.apiKey ?? this.rejectedKey;
      try {
        return await original.call(this, { ...configuration, apiKey });
      } catch (error) {
        if (error.code === 'invalid-configuration') this.rejectedKey = apiKey;
        throw error;
      }
    }),

  'config.prints-failures': () =>
    patch(Api, 'attempt', (original) => async function (request, timeout) {
      try {
        return await original.call(this, request, timeout);
      } catch (error) {
        console.error(error);
        throw error;
      }
    }),
};
