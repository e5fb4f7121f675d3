import { EventIntake } from '../linkforty/events.mjs';
import { InstallStore } from '../linkforty/stores.mjs';
import { before, crash, inside, patch, refuse } from './patch.mjs';

const NAMES = [
  'app_open', 'login', 'logout', 'signup', 'sign_up', 'purchase', 'revenue', 'subscription', 'search', 'share', 'view_item',
  'add_to_cart', 'checkout', 'level_up',
];

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** examines the body of an event, and may replace it */
const reading = (look) => before(EventIntake, 'read', function (body) {
  return isObject(body) ? look.call(this, body) : body;
});

/** examines the data of an event */
const data = (look) => reading(({ eventData, ...rest }) => {
  if (isObject(eventData)) look(eventData, rest);
});

/** examines the timestamp of an event */
const time = (look) => reading(({ timestamp }) => {
  if (typeof timestamp === 'string') look(timestamp);
});

const typeOf = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

export const DEFECTS = {
  'intake.name-of-list': () =>
    reading(({ eventName }) => {
      if (typeof eventName === 'string' && eventName !== '' && !NAMES.includes(eventName)) refuse(422, `${eventName} is no known event`);
    }),

  'intake.id-in-capitals-unknown': () => patch(InstallStore, 'key', () => (id) => id),

  'intake.install-not-yet-stored': () =>
    patch(InstallStore, 'keep', (original) => function (install) {
      setTimeout(() => original.call(this, install), 1000);
    }),

  'intake.umlauts-refused': () =>
    data((eventData) => {
      for (const value of inside(eventData)) {
        if (isObject(value) && Object.keys(value).some((name) => !/^[\x00-\x7f]*$/.test(name))) refuse(400, 'Names have to be ASCII');
      }
    }),

  'intake.null-byte-text-is-500': () =>
    data((eventData) => {
      for (const value of inside(eventData)) if (typeof value === 'string' && value.includes('\0')) crash('unsupported Unicode escape sequence');
    }),

  'intake.mixed-arrays-refused': () =>
    data((eventData) => {
      for (const value of inside(eventData)) {
        if (Array.isArray(value) && new Set(value.map(typeOf)).size > 1) refuse(400, 'Arrays have to hold values of one type');
      }
    }),

  'intake.false-is-missing': () =>
    data((eventData) => {
      const values = Object.values(eventData);
      if (values.length > 0 && values.every((value) => value === false || value === 0 || value === '')) refuse(400, 'eventData is empty');
    }),

  'intake.six-digits-at-most': () =>
    time((text) => {
      if (/\.\d{7,}/.test(text)) refuse(400, 'timestamp has too many digits');
    }),

  'intake.no-fraction-refused': () =>
    time((text) => {
      if (!text.includes('.')) refuse(400, 'timestamp has to have a fraction');
    }),

  'intake.offset-is-500': () =>
    time((text) => {
      if (text.endsWith('+05:30')) crash('invalid input syntax for type timestamp');
    }),

  'intake.unknown-install-accepted': () => patch(EventIntake, 'unknown', () => () => ({ status: 200, body: { acknowledged: true } })),

  'intake.unknown-install-204': () => patch(EventIntake, 'unknown', () => () => ({ status: 204 })),

  'intake.missing-id-is-500': () =>
    reading(({ installId }) => {
      if (installId === undefined) crash('null value in column install_id');
    }),

  'intake.missing-name-defaulted': () => reading((body) => ({ ...body, eventName: body.eventName === undefined ? 'custom' : body.eventName })),

  'intake.null-data-accepted': () => reading((body) => (body.eventData === null ? { ...body, eventData: {} } : body)),

  'intake.array-data-accepted': () => reading((body) => (Array.isArray(body.eventData) ? { ...body, eventData: { ...body.eventData } } : body)),

  'intake.empty-name-is-500': () =>
    reading(({ eventName }) => {
      if (eventName === '') crash('new row violates check constraint event_name_not_empty');
    }),

  'intake.unknown-member-refused': () =>
    reading(function (body) {
      const known = this.members();
      for (const name of Object.keys(body)) if (!Object.hasOwn(known, name)) refuse(400, `${name} is not known`);
    }),

  'intake.unknown-link-id-is-500': () =>
    reading(function ({ attributedLinkId }) {
      if (typeof attributedLinkId === 'string' && this.checkId(attributedLinkId)) crash('invalid input syntax for type uuid');
    }),

  'intake.amount-refused': () =>
    data((eventData, { eventName }) => {
      if (eventName === 'revenue' && !('revenue' in eventData && 'currency' in eventData)) refuse(400, 'revenue and currency are required');
    }),
};
