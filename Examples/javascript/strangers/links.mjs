import { AnswerReader } from '../linkforty/answers.mjs';
import { Api } from '../linkforty/api.mjs';
import { ConfigurationReader } from '../linkforty/configuration.mjs';
import { LinkMaker } from '../linkforty/link-maker.mjs';
import { LinkForty } from '../linkforty/linkforty.mjs';
import { patch } from '../patch.mjs';

const NO_LINK = { url: null, shortCode: null, linkId: null };
const isOrder = (target) => target.endsWith('/links');
const isSimpleOrder = (target) => target.endsWith('/api/sdk/v1/links');
const isUUID = (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
const isText = (value) => typeof value === 'string' && value !== '';

export const DEFECTS = {
  // ----- The key

  'link.key-not-asked-for': () => patch(LinkMaker, 'demandKey', () => () => {}),

  'link.empty-key-counts': () => {
    patch(ConfigurationReader, 'readKey', (original) => function (key) {
      return key === '' ? '' : original.call(this, key);
    });
    patch(LinkMaker, 'demandKey', (original) => function () {
      if (this.api.configuration.apiKey !== '') original.call(this);
    });
    patch(Api, 'authorization', (original) => function (target) {
      return this.configuration.apiKey === '' ? [['Authorization', 'Bearer ']] : original.call(this, target);
    });
  },

  'link.key-escaped': () =>
    patch(Api, 'authorization', (original) => function (target) {
      const { apiKey } = this.configuration;
      if (!apiKey || !isOrder(target)) return original.call(this, target);
      return [['Authorization', `Bearer ${encodeURIComponent(apiKey)}`]];
    }),

  // ----- The request

  'link.dashboard-always': () => patch(LinkMaker, 'path', () => () => '/api/links'),

  'link.template-not-named': () => ordered(({ templateId, ...order }) => order),

  'link.parameters-called-custom': () => renamed('deepLinkParameters', 'customParameters'),

  'link.campaign-flattened': () =>
    ordered(({ utmParameters, ...order }) => ({ ...order, ...prefixed(utmParameters) })),

  'link.campaign-keys-prefixed': () =>
    ordered((order) => (order.utmParameters ? { ...order, utmParameters: prefixed(order.utmParameters) } : order)),

  'link.description-trimmed': () =>
    ordered((order) => ({ ...order, ...texts(order, (text) => text.replace(/\r\n|[\r\n]/g, ' ')) })),

  'link.long-title-cut': () =>
    ordered((order) => (order.title === undefined ? order : { ...order, title: [...order.title].slice(0, 100).join('') })),

  'link.open-is-null': () =>
    ordered((order) => ({
      templateId: null,
      deepLinkParameters: null,
      title: null,
      description: null,
      customCode: null,
      utmParameters: null,
      externalUserId: null,
      ...order,
    })),

  'link.user-misnamed': () => renamed('externalUserId', 'userId'),

  'link.user-of-the-start': () => {
    patch(LinkForty, 'makeSession', (original) => function (configuration) {
      const session = original.call(this, configuration);
      session.links.userAtStart = this.externalUserId;
      return session;
    });
    patch(LinkMaker, 'create', (original) => function (options) {
      return original.call(this, options, this.userAtStart);
    });
  },

  'link.empty-options-no-body': () =>
    patch(Api, 'post', (original) => function (path, value, options) {
      if (!isOrder(path) || Object.keys(value).length > 0) return original.call(this, path, value, options);
      return this.exchange({ method: 'POST', target: this.target(path), body: Buffer.alloc(0) }, options);
    }),

  'link.refused-order-remembered': () =>
    patch(LinkMaker, 'create', (original) => async function (options, user) {
      const refused = (this.refused ??= new Map());
      const key = JSON.stringify([options, user]);
      if (refused.has(key)) throw refused.get(key);
      return original.call(this, options, user).catch((error) => {
        if (error.status >= 400 && error.status < 500) refused.set(key, error);
        throw error;
      });
    }),

  'link.form-encoded': () =>
    patch(Api, 'headers', (original) => function (target, body) {
      const isWrong = (name) => isSimpleOrder(target) && name.toLowerCase() === 'content-type';
      const fields = original.call(this, target, body);
      return fields.map(([name, value]) => [name, isWrong(name) ? 'application/x-www-form-urlencoded' : value]);
    }),

  'link.hangs': () =>
    patch(Api, 'attempt', (original) => function (request, timeout) {
      return original.call(this, request, isOrder(request.target) ? 2 ** 31 - 1 : timeout);
    }),

  // ----- The answer

  'link.id-lowered': () =>
    created((link) => (isUUID(link.linkId) ? { ...link, linkId: link.linkId.toLowerCase() } : link)),

  'link.row-url-without-slug': () =>
    patch(LinkMaker, 'url', (original) => function (options, shortCode) {
      return original.call(this, {}, shortCode);
    }),

  'link.row-url-with-undefined': () =>
    patch(LinkMaker, 'url', (original) => function ({ templateSlug }, shortCode) {
      return original.call(this, { templateSlug: `${templateSlug}` }, shortCode);
    }),

  'link.deduplicated-lost': () => created(({ deduplicated, ...link }) => link),

  'link.charset-refused': () =>
    patch(AnswerReader, 'createdLink', (original) => function (response, makeURL) {
      if (response.headers['content-type'] !== 'application/json') throw this.unreadable('the answer is no JSON');
      return original.call(this, response, makeURL);
    }),

  'link.refusal-is-a-link': () =>
    patch(LinkMaker, 'create', (original) => function (options, user) {
      const api = Object.assign(Object.create(this.api), { check: (response) => response });
      const { answers: reader } = this;
      const answers = {
        createdLink(response, makeURL) {
          const isSuccess = response.status >= 200 && response.status < 300;
          return isSuccess ? reader.createdLink(response, makeURL) : reader.model(reader.object(response));
        },
      };
      return original.call(Object.assign(Object.create(this), { api, answers }), options, user);
    }),

  'link.unavailable-is-null': () => failed((error) => (error.status === 503 ? NO_LINK : undefined)),

  'link.offline-makes-own-url': () =>
    failed((error, { customCode }, maker) => {
      if (error.code !== 'network' || error.status !== undefined || !customCode) return undefined;
      return { url: maker.url({}, customCode), shortCode: customCode, linkId: null };
    }),

  'link.half-without-id': () =>
    readInstead(({ url, shortCode, linkId }) => {
      return linkId === undefined && isText(url) && isText(shortCode) ? { url, shortCode, linkId: '' } : undefined;
    }),

  'link.null-url-accepted': () =>
    readInstead(({ url, shortCode, linkId }) => {
      return url === null && isText(shortCode) && isText(linkId) ? { url, shortCode, linkId } : undefined;
    }),

  'link.empty-body-is-success': () =>
    patch(AnswerReader, 'createdLink', (original) => function (response, makeURL) {
      return response.body === '' ? { url: '', shortCode: '', linkId: '' } : original.call(this, response, makeURL);
    }),
};

function ordered(change) {
  patch(LinkMaker, 'order', (original) => function (options, user) {
    return change(original.call(this, options, user));
  });
}

function renamed(from, to) {
  ordered(({ [from]: value, ...order }) => (value === undefined ? order : { ...order, [to]: value }));
}

function prefixed(parameters = {}) {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [`utm_${name}`, value]));
}

/** The changed title and description, if they are set. */
function texts(order, change) {
  const given = ['title', 'description'].filter((name) => typeof order[name] === 'string');
  return Object.fromEntries(given.map((name) => [name, change(order[name])]));
}

function created(change) {
  patch(AnswerReader, 'createdLink', (original) => function (response, makeURL) {
    return change(original.call(this, response, makeURL));
  });
}

/** @param {(answer: object) => object | undefined} read the link, if the defect reads this answer differently */
function readInstead(read) {
  patch(AnswerReader, 'createdLink', (original) => function (response, makeURL) {
    const answer = this.object(response);
    return (isText(answer.short_code) ? undefined : read(answer)) ?? original.call(this, response, makeURL);
  });
}

/** @param {(error: Error, options: object, maker: LinkMaker) => object | undefined} instead the link that replaces an error */
function failed(instead) {
  patch(LinkMaker, 'create', (original) => async function (options, user) {
    return original.call(this, options, user).catch((error) => {
      const link = instead(error, options, this);
      if (!link) throw error;
      return link;
    });
  });
}
