import { ApiKeys } from '../linkforty/api-keys.mjs';
import { Refusal } from '../linkforty/errors.mjs';
import { LinksApi } from '../linkforty/links-api.mjs';
import { Resolve } from '../linkforty/resolve.mjs';
import { LinkStore } from '../linkforty/stores.mjs';
import { after, before, patch } from './patch.mjs';

export const DEFECTS = {
  'maker.row-answered': () =>
    patch(LinksApi, 'simplified', (original) => async function (exchange) {
      const { status, body } = await original.call(this, exchange);
      const link = this.server.links.withCode(body.shortCode);
      return {
        status,
        body: {
          id: link.id,
          short_code: link.code,
          template_id: link.template?.id ?? null,
          title: link.title ?? null,
          description: link.description ?? null,
          is_active: link.active,
          created_at: new Date(link.createdAt).toISOString(),
        },
      };
    }),

  'maker.url-without-slash': () => after(LinksApi, 'path', (path) => path.replace(/(.)\//, '$1')),

  'maker.other-scheme-accepted': () => patch(ApiKeys, 'keyOf', () => (field = '') => / (\S+)$/.exec(field)?.[1]),

  'maker.key-prefix-accepted': () =>
    patch(ApiKeys, 'isGood', () => function (key) {
      return this.keys.some((good) => good.slice(0, 12) === key.slice(0, 12));
    }),

  'maker.bad-key-is-403': () => after(ApiKeys, 'refusal', (refusal, key) => (key === undefined ? refusal : new Refusal(403, refusal.message))),

  'maker.resolves-after-a-while': () => {
    const made = new WeakMap();
    after(LinksApi, 'make', (link) => {
      made.set(link, Date.now());
      return link;
    });
    after(Resolve, 'isThere', (isThere, link) => isThere && Date.now() - (made.get(link) ?? 0) >= 5000);
  },

  'maker.campaign-lowered': () =>
    after(LinksApi, 'campaign', (campaign) =>
      Object.fromEntries(Object.entries(campaign).map(([name, value]) => [name, value.toLowerCase()]))),

  'maker.campaign-into-custom': () =>
    after(LinksApi, 'make', (link) => {
      if (link.utmParameters) link.customParameters = { ...link.customParameters, ...link.utmParameters };
      return link;
    }),

  'maker.never-deduplicated': () => patch(LinksApi, 'findEqual', () => () => undefined),

  'maker.users-share-links': () =>
    patch(LinksApi, 'key', () => function ({ externalUserId, ...order }) {
      return this.user({ externalUserId }) ? this.canonical(order) : undefined;
    }),

  'maker.user-number-lost': () => after(LinksApi, 'user', (user) => (/^\d+$/.test(user ?? '') ? undefined : user)),

  'maker.custom-code-shadowed': () => {
    patch(LinksApi, 'taken', () => (code) => code);
    patch(LinkStore, 'index', (original) => function (link) {
      if (!this.isTaken(link.code)) original.call(this, link);
    });
  },

  'maker.dashboard-empty-answer': () =>
    patch(LinksApi, 'dashboard', (original) => async function (exchange) {
      await original.call(this, exchange);
      return { status: 204 };
    }),

  'maker.dashboard-open': () =>
    patch(LinksApi, 'checkDashboardKey', (original) => function (exchange) {
      if (exchange.request.headers.authorization !== undefined) original.call(this, exchange);
    }),

  'maker.window-text-accepted': () =>
    before(LinksApi, 'read', (body) => {
      const hours = body?.attributionWindowHours;
      return typeof hours === 'string' && hours.trim() !== '' ? { ...body, attributionWindowHours: Number(hours) } : body;
    }),

  'maker.window-negative-accepted': () =>
    before(LinksApi, 'isWindow', (hours) => Math.abs(hours)),

  'maker.code-replaced': () =>
    patch(LinksApi, 'taken', () => function () {
      return this.server.links.newCode();
    }),

  'maker.code-numbered': () =>
    patch(LinksApi, 'taken', () => function (code) {
      const numbered = `${code}-2`;
      return this.server.links.isTaken(numbered) ? this.taken(numbered) : numbered;
    }),

  'maker.slash-in-code': () => after(LinksApi, 'isWritable', (isWritable, code) => isWritable || /^[A-Za-z0-9_/-]{3,20}$/.test(code)),

  'maker.reserved-code': () => after(LinksApi, 'isReserved', (isReserved, code) => isReserved && code !== 'api'),
};
