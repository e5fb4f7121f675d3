import { Health } from '../linkforty/health.mjs';
import { after, before, patch, refuse } from './patch.mjs';

export const DEFECTS = {
  'health.key-wanted': () =>
    before(Health, 'handle', ({ request }) => {
      if (!request.headers.authorization) refuse(401, 'An API key is required');
    }),

  'health.status-misnamed': () => after(Health, 'body', ({ status, ...rest }) => ({ state: status, ...rest })),

  'health.no-content': () => patch(Health, 'handle', () => () => ({ status: 204 })),
};
