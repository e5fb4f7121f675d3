import { createHash, randomUUID } from 'node:crypto';
import { BodyReader } from '../linkforty/body.mjs';
import { ErrorAnswers } from '../linkforty/errors.mjs';
import { EventIntake } from '../linkforty/events.mjs';
import { InstallReports } from '../linkforty/installs.mjs';
import { InstallStore } from '../linkforty/stores.mjs';
import { after, before, crash, patch, refuse } from './patch.mjs';

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** examines the body of a report, and may replace it */
const reading = (look) => before(InstallReports, 'read', function (body, exchange) {
  return isObject(body) ? look.call(this, body, exchange) : body;
});

const organic = (change) => after(InstallReports, 'organic', change);

/** changes every answer to a report */
const answers = (change) => {
  after(InstallReports, 'organic', change);
  after(InstallReports, 'attributed', change);
};

const newId = (make) => patch(InstallStore, 'newId', () => make);

/** Accepts ids of this form in events, too, since clients send the ids back. */
const alsoTaken = (form) => after(EventIntake, 'checkInstallId', (why, value) => (form.test(value) ? undefined : why));

export const DEFECTS = {
  'install.unknown-key-refused': () =>
    before(InstallReports, 'handle', function ({ request }) {
      const { keys } = this.server;
      const key = keys.keyOf(request.headers.authorization);
      if (key !== undefined && !keys.isGood(key)) throw keys.refusal(key);
    }),

  'install.minimal-refused': () =>
    after(InstallReports, 'members', (members) => ({
      ...members,
      timezone: { ...members.timezone, required: true },
      language: { ...members.language, required: true },
    })),

  'install.factors-missing-when-organic': () => organic(({ matchedFactors, ...rest }) => rest),

  'install.score-missing-when-organic': () => organic((answer) => ({ ...answer, confidenceScore: null })),

  'install.attributed-missing': () => organic(({ attributed, ...rest }) => rest),

  'install.id-is-a-number': () => {
    let row = 1041;
    newId(() => String((row += 1)));
    alsoTaken(/^\d+$/);
  },

  'install.id-without-hyphens': () => {
    newId(() => randomUUID().replaceAll('-', ''));
    alsoTaken(/^[0-9a-f]{32}$/i);
  },

  'install.id-by-fingerprint': () =>
    newId((report) => {
      const hash = createHash('sha256').update(JSON.stringify(report)).digest('hex');
      return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
    }),

  'install.id-braced': () => {
    newId(() => `{${randomUUID()}}`);
    alsoTaken(/^\{[0-9a-f-]{36}\}$/i);
  },

  'install.attributed-as-number': () => answers((answer) => ({ ...answer, attributed: Number(answer.attributed) })),

  'install.attributed-as-text': () => answers((answer) => ({ ...answer, attributed: String(answer.attributed) })),

  'install.organic-score-is-best-try': () =>
    organic(function (answer, id, device) {
      return { ...answer, confidenceScore: this.matcher.best(device)?.score ?? 0 };
    }),

  'install.organic-score-minus-one': () => organic((answer) => ({ ...answer, confidenceScore: -1 })),

  'install.factors-of-failure': () =>
    organic(function (answer, id, device) {
      return { ...answer, matchedFactors: this.matcher.best(device)?.factors ?? [] };
    }),

  'install.factors-as-text': () => answers((answer) => ({ ...answer, matchedFactors: answer.matchedFactors.join(',') })),

  'install.organic-data-with-nulls': () =>
    organic((answer) => ({
      ...answer,
      deepLinkData: {
        shortCode: null, linkId: null, iosUrl: null, androidUrl: null, webUrl: null, deepLinkPath: null, appScheme: null,
        utmParameters: null, customParameters: null, clickedAt: null,
      },
    })),

  'install.organic-data-of-last-click': () =>
    organic(function (answer) {
      const click = this.server.clicks.all().at(-1);
      return { ...answer, deepLinkData: click ? this.dataOf({ click }) : null };
    }),

  'install.device-id-must-be-uuid': () =>
    reading(({ deviceId }) => {
      if (typeof deviceId === 'string' && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(deviceId)) refuse(400, 'deviceId has to be a UUID');
    }),

  'install.window-wanted-below-720': () =>
    reading(({ attributionWindowHours: hours }) => {
      if (typeof hours === 'number' && hours >= 720) refuse(400, 'attributionWindowHours has to be below 720');
    }),

  'install.unknown-member-refused': () =>
    reading(function (body) {
      const known = this.members();
      for (const name of Object.keys(body)) if (!Object.hasOwn(known, name)) refuse(400, `${name} is not known`);
    }),

  'install.token-unknown-refused': () =>
    reading(({ appToken }) => {
      if (typeof appToken === 'string') refuse(403, 'There is no app of this token');
    }),

  'install.agent-defaulted': () =>
    reading((body, { request }) => ({ ...body, userAgent: body.userAgent ?? request.headers['user-agent'] ?? 'unknown' })),

  'install.missing-agent-is-500': () =>
    reading(({ userAgent }) => {
      if (userAgent === undefined) crash('null value in column user_agent');
    }),

  'install.numbers-from-text': () =>
    reading((body) => {
      const number = (value) => (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value);
      return { ...body, screenWidth: number(body.screenWidth), screenHeight: number(body.screenHeight) };
    }),

  'install.window-from-text': () =>
    reading((body) => (typeof body.attributionWindowHours === 'string' ? { ...body, attributionWindowHours: 0 } : body)),

  'install.language-list-accepted': () =>
    reading((body) => (Array.isArray(body.language) ? { ...body, language: body.language[0] } : body)),

  'install.negative-screen-is-500': () =>
    reading(({ screenWidth, screenHeight }) => {
      if (screenWidth < 0 || screenHeight < 0) crash('new row violates check constraint screen_positive');
    }),

  'install.long-language-is-500': () =>
    reading(({ language }) => {
      if (typeof language === 'string' && language.length > 10) crash('value too long for type character varying(10)');
    }),

  'install.long-agent-is-500': () =>
    reading(({ userAgent }) => {
      if (typeof userAgent === 'string' && userAgent.length > 1024) crash('value too long for type character varying(1024)');
    }),

  'install.big-body-is-500': () => patch(BodyReader, 'tooLarge', () => () => new Error('request entity too large')),

  'install.big-body-accepted': () => patch(BodyReader, 'limit', () => () => Infinity),

  'install.repeat-voids-first': () =>
    patch(InstallStore, 'add', (original) => function (report) {
      const earlier = [...this.installs.values()].find((install) => JSON.stringify(install.report) === JSON.stringify(report));
      if (earlier) this.installs.delete(earlier.id);
      return original.call(this, report);
    }),

  'install.repeat-id-unsaved': () =>
    patch(InstallStore, 'keep', (original) => function (install) {
      const isRepeat = [...this.installs.values()].some(({ report }) => JSON.stringify(report) === JSON.stringify(install.report));
      if (!isRepeat) original.call(this, install);
    }),

  'install.refusal-with-code-only': () =>
    after(ErrorAnswers, 'refused', (answer, error, exchange) =>
      exchange.path === '/api/sdk/v1/install' ? { ...answer, body: { code: 'INVALID_INPUT' } } : answer),

  'install.refusal-is-html': () => {
    const unreadable = new WeakSet();
    after(BodyReader, 'broken', (refusal) => {
      unreadable.add(refusal);
      return refusal;
    });
    after(ErrorAnswers, 'refused', (answer, error) =>
      unreadable.has(error)
        ? { status: 400, headers: { 'Content-Type': 'text/html; charset=utf-8' }, text: '<!DOCTYPE html><html><body><h1>Bad Request</h1></body></html>' }
        : answer);
  },
};
