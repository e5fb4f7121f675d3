import { RateLimiter } from '../linkforty/rate-limiter.mjs';
import { Resolve } from '../linkforty/resolve.mjs';
import { Router } from '../linkforty/router.mjs';
import { LinkFortyServer } from '../linkforty/server.mjs';
import { Shape } from '../linkforty/shape.mjs';
import { after, before, crash, patch } from './patch.mjs';

export const DEFECTS = {
  'routes.event-by-put': () =>
    after(LinkFortyServer, 'routes', (routes) => {
      const event = routes.find(({ path }) => path === '/api/sdk/v1/event');
      return [...routes, { ...event, method: 'PUT' }];
    }),

  'routes.validation-is-500': () => patch(Shape, 'wrongType', () => (name, type) => new Error(`${name} is no ${type}`)),

  'routes.long-url-is-500': () =>
    before(Resolve, 'handle', ({ rawQuery }) => {
      if (rawQuery.length > 4096) crash('the query is too long for its column');
    }),

  'routes.bad-escape-is-500': () =>
    before(Router, 'split', (path) => {
      if (path.startsWith('/api/sdk/v1/resolve/')) path.split('/').forEach((segment) => decodeURIComponent(segment));
    }),

  'routes.limit-off-by-one': () => patch(RateLimiter, 'isOver', () => function ({ count }) {
    return count >= this.limit;
  }),

  'routes.limit-header-counts-down': () =>
    after(RateLimiter, 'headers', (headers) =>
      'X-RateLimit-Limit' in headers ? { ...headers, 'X-RateLimit-Limit': headers['X-RateLimit-Remaining'] } : headers),
};
