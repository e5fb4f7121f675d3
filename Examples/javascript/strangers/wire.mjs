import { Api } from '../linkforty/api.mjs';
import { patch } from '../patch.mjs';

export const DEFECTS = {
  'wire.key-on-post-only': () =>
    patch(Api, 'authorization', (original) => function (target) {
      return target.includes('/api/sdk/v1/resolve/') ? [] : original.call(this, target);
    }),

  'wire.key-lost-after-401': () => {
    patch(Api, 'check', (original) => function (response) {
      if (response.status === 401) this.choices.isKeyLost = true;
      return original.call(this, response);
    });
    patch(Api, 'authorization', (original) => function (target) {
      return this.choices.isKeyLost ? [] : original.call(this, target);
    });
  },

  'wire.key-in-agent': () =>
    patch(Api, 'courtesies', (original) => function () {
      if (!this.configuration.debug) return original.call(this);
      const listed = JSON.stringify(this.configuration).replace(/[^\x20-\x7e]/g, '?');
      return original.call(this).map(([name, value]) => [name, name === 'User-Agent' ? `${value} ${listed}` : value]);
    }),

  'wire.quotes-unescaped': () =>
    patch(Api, 'encode', (original) => function (value) {
      if (value.eventName === undefined) return original.call(this, value);
      const text = original.call(this, { ...value, eventData: masked(value.eventData) });
      return text.replaceAll('\ue000', '"').replaceAll('\ue001', '\\');
    }),
};

/** Replaces characters that JSON escapes with characters that JSON does not escape. */
function masked(value) {
  if (typeof value === 'string') return value.replaceAll('"', '\ue000').replaceAll('\\', '\ue001');
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, masked(member)]));
}
