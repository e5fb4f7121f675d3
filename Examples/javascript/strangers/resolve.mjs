import path from 'node:path';
import { AnswerReader } from '../linkforty/answers.mjs';
import { Api } from '../linkforty/api.mjs';
import { DirectLinks } from '../linkforty/callbacks.mjs';
import { Fingerprint } from '../linkforty/device.mjs';
import { LinkForty } from '../linkforty/linkforty.mjs';
import { Resolver } from '../linkforty/resolver.mjs';
import { NodeTransport } from '../linkforty/transport.mjs';
import { patch } from '../patch.mjs';

const NEITHER = Symbol('neither success nor failure');

export const DEFECTS = {
  // ----- The request

  'resolve.code-before-slug': () =>
    patch(Resolver, 'path', (original) => function (segments) {
      return original.call(this, [...segments].reverse());
    }),

  'resolve.zone-misnamed': () => asked(({ fp_tz, ...query }) => ({ fp_timezone: fp_tz, ...query })),

  'resolve.language-primary-only': () => asked((query) => ({ ...query, fp_lang: query.fp_lang?.split('-')[0] })),

  'resolve.screen-in-points': () =>
    asked((query, { screenWidth, screenHeight }) => ({ ...query, fp_sw: screenWidth, fp_sh: screenHeight })),

  'resolve.platform-is-web': () => asked((query) => ({ ...query, fp_platform: 'web' })),

  'resolve.version-major-only': () => asked((query) => ({ ...query, fp_pv: query.fp_pv?.split('.')[0] })),

  'resolve.version-missing-after-restart': () => {
    patch(Fingerprint, 'report', (original) => function (configuration) {
      const report = original.call(this, configuration);
      this.version = report.platformVersion;
      return report;
    });
    patch(Fingerprint, 'query', (original) => function () {
      return this.known({ ...original.call(this), fp_pv: this.version });
    });
  },

  'resolve.plus-unescaped': () => encoded((value) => encodeURIComponent(value).replaceAll('%2B', '+')),

  'resolve.blank-unescaped': () => {
    encoded((value) => encodeURIComponent(value).replaceAll('%20', '\u00a0'));
    // Node refuses a blank in a path. It does not check the head that it has already written.
    patch(NodeTransport, 'open', (original) => function (request) {
      const outgoing = original.call(this, request);
      outgoing._header = outgoing._header.replace(/^.*/, (line) => line.replaceAll('\u00a0', ' '));
      return outgoing;
    });
  },

  'resolve.ampersand-unescaped': () => encoded((value) => encodeURI(value).replaceAll('#', '%23')),

  'resolve.by-post': () =>
    patch(Api, 'get', () => function (path, query, options) {
      return this.exchange({ method: 'POST', target: this.target(path) + query, body: Buffer.alloc(0) }, options);
    }),

  'resolve.get-with-body': () =>
    patch(Api, 'get', () => function (path, query, options) {
      const body = Buffer.from(JSON.stringify(Object.fromEntries(new URLSearchParams(query))), 'utf8');
      return this.exchange({ method: 'GET', target: this.target(path) + query, body }, options);
    }),

  'resolve.head-first': () =>
    patch(Api, 'get', (original) => async function (path, query, options) {
      await this.exchange({ method: 'HEAD', target: this.target(path) + query }, options).catch((error) => {
        if (error.code !== 'server') throw error;
      });
      return original.call(this, path, query, options);
    }),

  'resolve.base-path-is-a-slug': () =>
    patch(LinkForty, 'resolvableSegments', (original) => function (url) {
      const { path } = this.session.configuration.base;
      return original.call(this, { ...url, segments: [...this.reader.segments(path), ...url.segments] });
    }),

  'resolve.escaped-slash-decoded': () =>
    patch(Resolver, 'path', () => (segments) => `/api/sdk/v1/resolve/${segments.map(encodeURI).join('/')}`),

  'resolve.dots-climb': () =>
    patch(Resolver, 'path', () => (segments) => {
      const plain = path.posix.normalize(`/api/sdk/v1/resolve/${segments.join('/')}`);
      return plain.split('/').map(encodeURIComponent).join('/');
    }),

  'resolve.backoff-on-503': () =>
    patch(Resolver, 'resolve', (original) => async function (...args) {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await original.apply(this, args);
        } catch (error) {
          if (!(error.code === 'server' && error.status >= 500) || attempt === 2) throw error;
          await this.api.pause(attempt);
        }
      }
    }),

  'resolve.waits-ten-seconds': () =>
    patch(Api, 'get', (original) => function (path, query, options) {
      return original.call(this, path, query, { ...options, timeout: 10_000 });
    }),

  // ----- The result of the answer

  'resolve.web-url-lost': () => answered(({ webUrl, ...link }) => link),

  'resolve.ios-url-when-android-absent': () =>
    answered(({ iosUrl, ...link }) => (iosUrl !== undefined && link.androidUrl !== undefined ? { ...link, iosUrl } : link)),

  'resolve.link-id-is-code': () => answered((link) => ({ ...link, linkId: link.shortCode })),

  'resolve.campaign-of-the-url-wins': () =>
    lookedUp((data, { utmParameters }) => (utmParameters ? { ...data, utmParameters } : data)),

  'resolve.code-of-the-url-wins': () => lookedUp((data, { shortCode }) => ({ ...data, shortCode })),

  'resolve.refusal-is-null': () => failed(({ status }) => status >= 400 && status < 500 && status !== 404),

  'resolve.unavailable-is-null': () => failed(({ status }) => [502, 503, 504].includes(status)),

  'resolve.cut-answer-is-used': () =>
    patch(Api, 'send', (original) => async function (request, signal) {
      const response = await original.call(this, request, signal);
      const isCut = request.method === 'GET' && response.status === 200 && response.broken instanceof Error;
      const whole = isCut ? completed(response.body) : undefined;
      return whole === undefined ? response : { ...response, body: whole, broken: undefined };
    }),

  'resolve.null-ends-the-app': () =>
    patch(AnswerReader, 'resolvedLink', (original) => function (response) {
      if (response.body.trim() === 'null') process.exit(134);
      return original.call(this, response);
    }),

  'resolve.empty-answer-is-a-link': () =>
    patch(AnswerReader, 'resolvedLink', (original) => function (response) {
      return Object.keys(this.object(response)).length === 0 ? { shortCode: '' } : original.call(this, response);
    }),

  'resolve.code-filled-in': () =>
    patch(Resolver, 'resolve', (original) => function (segments, decode, campaign) {
      const answers = Object.create(this.answers);
      answers.resolvedLink = function (response) {
        const answer = this.object(response);
        return this.link({ ...answer, shortCode: answer.shortCode || decode(segments.at(-1)) });
      };
      return original.call(Object.assign(Object.create(this), { answers }), segments, decode, campaign);
    }),

  'resolve.redirect-not-delivered': () => {
    patch(Api, 'check', (original) => function (response) {
      try {
        return original.call(this, response);
      } catch (error) {
        const isNeither = response.status >= 300 && response.status < 400 && !response.headers.location;
        throw Object.assign(error, { isNeither });
      }
    });
    patch(Resolver, 'resolve', (original) => function (...args) {
      return original.apply(this, args).catch((error) => (error.isNeither ? NEITHER : Promise.reject(error)));
    });
    patch(DirectLinks, 'deliver', (original) => function (link) {
      if (link.data !== NEITHER) original.call(this, link);
    });
  },
};

/** @param {(query: object, device: import('../linkforty/device.mjs').Device) => object} change */
function asked(change) {
  patch(Fingerprint, 'query', (original) => function () {
    return this.known(change(original.call(this), this.readDevice()));
  });
}

function encoded(encode) {
  patch(Resolver, 'encode', () => (value) => encode(String(value)));
}

function answered(change) {
  patch(AnswerReader, 'resolvedLink', (original) => function (response) {
    return change(original.call(this, response));
  });
}

/** @param {(data: object, local: object) => object} change */
function lookedUp(change) {
  patch(LinkForty, 'lookUp', (original) => async function (session, text) {
    const data = await original.call(this, session, text);
    return data && change(data, this.reader.localData(this.reader.takeApart(text, session.configuration.base)));
  });
}

/** After these failures, the callback gets null. */
function failed(isNull) {
  patch(Resolver, 'resolve', (original) => function (...args) {
    return original.apply(this, args).catch((error) => (error.code === 'server' && isNull(error) ? null : Promise.reject(error)));
  });
}

/** Closes the open brackets and quotes of truncated JSON. If the result is still invalid, removes the last member. */
function completed(text) {
  for (let piece = text; piece !== ''; piece = piece.slice(0, Math.max(0, piece.lastIndexOf(',')))) {
    const whole = piece + closing(piece);
    if (isJSON(whole)) return whole;
  }
  return undefined;
}

function closing(text) {
  const open = [];
  let isText = false;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index];
    if (isText && letter === '\\') index += 1;
    else if (letter === '"') isText = !isText;
    else if (!isText && '{['.includes(letter)) open.unshift(letter === '{' ? '}' : ']');
    else if (!isText && '}]'.includes(letter)) open.shift();
  }
  return (isText ? '"' : '') + open.join('');
}

function isJSON(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
