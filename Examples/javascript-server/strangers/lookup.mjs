import { Agents } from '../linkforty/agents.mjs';
import { LinkData } from '../linkforty/link-data.mjs';
import { Resolve } from '../linkforty/resolve.mjs';
import { LinkStore } from '../linkforty/stores.mjs';
import { after, before, crash, patch, refuse } from './patch.mjs';

/** changes the data of a found link */
const data = (change) => after(Resolve, 'dataOf', change);

const find = (make) => patch(Resolve, 'find', make);

/** examines the fingerprint in the query */
const fingerprint = (look) => before(Resolve, 'device', ({ query }) => {
  look(query);
});

export const DEFECTS = {
  'lookup.created-status': () => after(Resolve, 'found', (answer) => ({ ...answer, status: 201 })),

  'lookup.code-misnamed': () => data(({ shortCode, ...rest }) => ({ short_code: shortCode, ...rest })),

  'lookup.numeric-codes-fail': () =>
    find((original) => function (code, slug) {
      return /^\d+$/.test(code) ? undefined : original.call(this, code, slug);
    }),

  'lookup.any-slug': () =>
    find((original) => function (code) {
      return original.call(this, code);
    }),

  'lookup.slug-of-no-template': () =>
    find((original) => function (code, slug) {
      const isKnown = slug === undefined || this.server.templates.withSlug(slug);
      return original.call(this, code, isKnown ? slug : undefined);
    }),

  'lookup.path-without-slash': () =>
    data((link) => ('deepLinkPath' in link ? { ...link, deepLinkPath: link.deepLinkPath.replace(/^\//, '') } : link)),

  'lookup.scheme-with-colon': () => data((link) => ('appScheme' in link ? { ...link, appScheme: `${link.appScheme}://` } : link)),

  'lookup.custom-lost-with-campaign': () =>
    data(({ customParameters, ...rest }) => (rest.utmParameters ? rest : { ...rest, customParameters })),

  'lookup.bare-campaign-with-empty-texts': () =>
    data((link) => ({ ...link, utmParameters: link.utmParameters ?? { source: '', medium: '', campaign: '', term: '', content: '' } })),

  'lookup.objects-shown-as-object': () =>
    after(LinkData, 'text', (text, value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) ? value : text),

  'lookup.null-custom-stays': () => after(LinkData, 'text', (text, value) => (value === null ? null : text)),

  'lookup.unknown-is-text': () =>
    patch(Resolve, 'unknown', (original) => function (code, slug) {
      if (slug !== undefined && !this.server.templates.withSlug(slug)) return original.call(this, code, slug);
      return { status: 404, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, text: 'Link not found' };
    }),

  'lookup.unknown-slug-is-500': () =>
    before(Resolve, 'handle', function ({ params: { slug } }) {
      if (slug !== undefined && !this.server.templates.withSlug(slug)) crash("Cannot read properties of undefined (reading 'id')");
    }),

  'lookup.off-found-under-slug': () =>
    after(Resolve, 'isThere', function (isThere, link, slug) {
      return isThere || (slug !== undefined && !this.server.links.isExpired(link));
    }),

  'lookup.expired-still-found': () => patch(Resolve, 'isThere', () => ({ active }) => active),

  'lookup.redirects-browsers': () => {
    const agents = new Agents();
    after(Resolve, 'found', (answer, { link }, { request }) =>
      link.webUrl && agents.browser({ userAgent: request.headers['user-agent'] ?? '' })
        ? { status: 302, headers: { Location: link.webUrl } }
        : answer);
  },

  'lookup.redirects-to-slug': () =>
    after(Resolve, 'found', (answer, { link }, { params, rawQuery }) =>
      link.template && params.slug === undefined
        ? { status: 307, headers: { Location: `/api/sdk/v1/resolve/${encodeURIComponent(link.template.slug)}/${link.code}${rawQuery && `?${rawQuery}`}` } }
        : answer),

  'lookup.half-a-screen-refused': () =>
    fingerprint((query) => {
      if (query.has('fp_sw') !== query.has('fp_sh')) refuse(400, 'fp_sw and fp_sh belong together');
    }),

  'lookup.long-language-is-500': () =>
    fingerprint((query) => {
      if ((query.get('fp_lang') ?? '').length > 10) crash('value too long for type character varying(10)');
    }),

  'lookup.doubled-parameter-is-500': () =>
    fingerprint((query) => {
      if (query.getAll('fp_tz').length > 1) crash('fp_tz.trim is not a function');
    }),

  'lookup.null-byte-is-500': () =>
    fingerprint((query) => {
      for (const [name, value] of query) if (name.startsWith('fp_') && value.includes('\0')) crash('invalid byte sequence for encoding "UTF8": 0x00');
    }),

  'lookup.case-free': () =>
    patch(LinkStore, 'withCode', () => function (code) {
      return this.links.find((link) => link.code.toLowerCase() === code.toLowerCase());
    }),

  'lookup.unknown-key-refused': () =>
    before(Resolve, 'handle', function ({ request }) {
      const { keys } = this.server;
      const key = keys.keyOf(request.headers.authorization);
      if (key !== undefined && !keys.isGood(key)) throw keys.refusal(key);
    }),
};
