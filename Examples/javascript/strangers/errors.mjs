// The errors that the app gets.
import { Api } from '../linkforty/api.mjs';
import { invalidConfiguration, LinkFortyError } from '../linkforty/errors.mjs';
import { LinkMaker } from '../linkforty/link-maker.mjs';
import { LinkForty } from '../linkforty/linkforty.mjs';
import { patch } from '../patch.mjs';

/** The bodies of the answers that caused errors. @returns {WeakMap<Error, string>} */
function bodiesOfErrors() {
  const bodies = new WeakMap();
  patch(Api, 'check', (original) => function (response) {
    try {
      return original.call(this, response);
    } catch (error) {
      bodies.set(error, response.body);
      throw error;
    }
  });
  return bodies;
}

function statusCodeIn(body) {
  try {
    return JSON.parse(body).statusCode;
  } catch {
    return undefined;
  }
}

export const DEFECTS = {
  'error.missing-key-is-configuration': () =>
    patch(LinkMaker, 'demandKey', () => function () {
      if (!this.api.configuration.apiKey) throw invalidConfiguration('there is no API key');
    }),

  'error.network-is-server': () =>
    patch(LinkMaker, 'create', (original) => async function (options, user) {
      return original.call(this, options, user).catch((error) => {
        throw error.code === 'network' ? new LinkFortyError('server', error.message, { status: 0 }) : error;
      });
    }),

  'error.status-missing-without-json': () => {
    const bodies = bodiesOfErrors();
    for (const method of ['createLink', 'trackEvent', 'trackRevenue', 'flush']) {
      patch(LinkForty, method, (original) => async function (...args) {
        return original.apply(this, args).catch((error) => {
          if (!bodies.has(error)) throw error;
          throw new LinkFortyError('server', error.message, { status: statusCodeIn(bodies.get(error)) });
        });
      });
    }
  },

  'error.html-error-ends-the-app': () => {
    const bodies = bodiesOfErrors();
    const decode = async (body) => JSON.parse(body);
    patch(LinkMaker, 'create', (original) => async function (options, user) {
      return original.call(this, options, user).catch((error) => {
        if (bodies.has(error)) decode(bodies.get(error)); // no code awaits the result
        throw error;
      });
    });
  },
};
