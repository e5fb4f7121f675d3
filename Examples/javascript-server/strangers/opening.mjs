import { Opening } from '../linkforty/opening.mjs';
import { patch } from './patch.mjs';

export const DEFECTS = {
  'opening.expired-still-opens': () => patch(Opening, 'isThere', () => ({ active }) => active),

  'opening.slug-not-checked': () =>
    patch(Opening, 'find', (original) => function (code) {
      return original.call(this, code);
    }),

  'opening.expired-by-slug': () =>
    patch(Opening, 'isThere', (original) => function (link, slug) {
      return slug === undefined ? original.call(this, link, slug) : link.active;
    }),

  'opening.unknown-goes-home': () => patch(Opening, 'unknown', () => () => ({ status: 302, headers: { Location: '/' } })),
};
