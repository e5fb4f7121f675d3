// The link that led to the install, and the result of the report.
import { AnswerReader, isObject } from '../linkforty/answers.mjs';
import { Api } from '../linkforty/api.mjs';
import { DeferredLinks } from '../linkforty/callbacks.mjs';
import { LinkFortyError } from '../linkforty/errors.mjs';
import { LinkForty } from '../linkforty/linkforty.mjs';
import { Memory } from '../linkforty/memory.mjs';
import { patch } from '../patch.mjs';

/** Changes the parsed answer to the report. @param {(install: object, answer: object) => object} change */
function inAnswer(change) {
  patch(AnswerReader, 'install', (original) => function (response) {
    return change(original.call(this, response), JSON.parse(response.body));
  });
}

/** Changes the link only for the deferred callbacks. @param {(link: object) => object} change */
function inCallback(change) {
  patch(DeferredLinks, 'settle', (original) => function (link) {
    original.call(this, link && change(link));
  });
}

/** The callback is not called after a report of this kind. @param {(install: object, answer: object) => boolean} isSilent */
function silentAfter(isSilent) {
  const silent = new WeakSet();
  inAnswer((install, answer) => {
    if (isSilent(install, answer)) silent.add(install);
    return install;
  });
  patch(LinkForty, 'reported', (original) => function (install) {
    return silent.has(install) ? install : original.call(this, install);
  });
}

/**
 * Calls `act` after a failure of this kind.
 * @param {(error: LinkFortyError) => boolean} isMeant
 * @param {(sdk: LinkForty, session: object, error: LinkFortyError) => void} act
 */
function afterFailure(isMeant, act) {
  patch(LinkForty, 'notReported', (original) => function (session, error) {
    if (!isMeant(error)) return original.call(this, session, error);
    act(this, session, error);
    return { installId: null, attributed: false, confidenceScore: 0, matchedFactors: [], deepLinkData: null };
  });
}

/** The status of a complete answer. */
function statusOf({ code, status }) {
  return code === 'server' ? status : undefined;
}

/** Does not report the failure. */
const silence = () => {};

/** initialize() fails. @param {(error: LinkFortyError) => LinkFortyError} told */
const failure = (told) => (sdk, session, error) => {
  sdk.endSession(session);
  throw told(error);
};

const undecodable = (error) => new LinkFortyError('unreadable-answer', error.message, { cause: error });

/** The answers that caused errors. @returns {WeakMap<Error, import('../linkforty/transport.mjs').Response>} */
function answersOfErrors() {
  const answers = new WeakMap();
  const remember = (original) => function (response) {
    try {
      return original.call(this, response);
    } catch (error) {
      answers.set(error, response);
      throw error;
    }
  };
  patch(Api, 'check', remember);
  patch(AnswerReader, 'install', remember);
  return answers;
}

const LINK_MEMBERS = [
  'shortCode', 'iosUrl', 'androidUrl', 'webUrl', 'webFallbackUrl', 'utmParameters', 'customParameters',
  'deepLinkParameters', 'deepLinkPath', 'appScheme', 'clickedAt', 'linkId',
];

const DAY = 86_400_000;

/** The year of a day's ISO week. */
function weekYear(day) {
  const date = new Date(`${day}T00:00:00Z`);
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY);
  return String(thursday.getUTCFullYear()).padStart(4, '0');
}

export const DEFECTS = {
  // ----- The install id and the result of initialize

  'deferred.id-lowered': () =>
    patch(Memory, 'saveInstall', (original) => function (install) {
      original.call(this, { ...install, installId: install.installId.toLowerCase() });
    }),

  'deferred.own-id': () =>
    patch(LinkForty, 'keepInstall', (original) => function (install) {
      original.call(this, { ...install, installId: this.platform.uuid() });
      return install;
    }),

  'deferred.id-without-hyphens': () =>
    patch(LinkForty, 'getInstallId', (original) => function () {
      return original.call(this)?.replaceAll('-', '') ?? null;
    }),

  'deferred.first-factor-only': () =>
    inAnswer((install) => ({ ...install, matchedFactors: install.matchedFactors.slice(0, 1) })),

  'deferred.factors-sorted': () =>
    inAnswer((install) => ({ ...install, matchedFactors: [...new Set(install.matchedFactors)].sort() })),

  'deferred.attributed-by-data': () =>
    inAnswer((install) => ({ ...install, attributed: install.deepLinkData !== null })),

  // ----- The argument of the callback

  'deferred.stores-swapped': () =>
    inCallback((link) => ({ ...link, iosUrl: link.androidUrl, androidUrl: link.iosUrl })),

  'deferred.term-is-content': () =>
    inCallback((link) => ({
      ...link, ...(link.utmParameters && { utmParameters: { ...link.utmParameters, term: link.utmParameters.content } }),
    })),

  'deferred.path-without-slash': () =>
    inCallback((link) => ({ ...link, deepLinkPath: link.deepLinkPath?.replace(/^\//, '') })),

  'deferred.custom-keys-lowered': () =>
    inCallback(({ customParameters, ...link }) => {
      if (!customParameters) return link;
      const lowered = Object.entries(customParameters).map(([name, value]) => [name.toLowerCase(), value]);
      return { ...link, customParameters: Object.fromEntries(lowered) };
    }),

  'deferred.code-lowered': () => inCallback((link) => ({ ...link, shortCode: link.shortCode.toLowerCase() })),

  'deferred.week-year': () =>
    inCallback(({ clickedAt, ...link }) => {
      const [day] = /^\d{4}-\d\d-\d\d/.exec(clickedAt) ?? [];
      return { ...link, clickedAt: day ? weekYear(day) + clickedAt.slice(4) : clickedAt };
    }),

  'deferred.empty-object-is-data': () => {
    const empty = new WeakSet();
    inAnswer((install, { deepLinkData }) => {
      if (isObject(deepLinkData) && Object.keys(deepLinkData).length === 0) empty.add(install);
      return install;
    });
    patch(LinkForty, 'reported', (original) => function (install) {
      if (!empty.has(install)) return original.call(this, install);
      this.deferred.settle({});
      return install;
    });
  },

  'deferred.unknown-link-member-fatal': () =>
    inAnswer((install, { deepLinkData }) => {
      const isKnown = Object.keys(deepLinkData ?? {}).every((name) => LINK_MEMBERS.includes(name));
      return isKnown ? install : { ...install, deepLinkData: null };
    }),

  // ----- The time of the callback

  'deferred.silent-when-organic': () =>
    silentAfter(({ attributed }, { deepLinkData }) => !attributed && deepLinkData === null),

  'deferred.missing-is-silence': () => silentAfter((install, { deepLinkData }) => deepLinkData === undefined),

  'deferred.attributed-without-data-silent': () =>
    silentAfter(({ attributed, deepLinkData }) => attributed && deepLinkData === null),

  'deferred.registration-lost-at-start': () =>
    patch(LinkForty, 'noteLaunch', (original) => function () {
      this.deferred.forgetCallbacks();
      original.call(this);
    }),

  'deferred.late-not-called': () =>
    patch(LinkForty, 'onDeferredDeepLink', (original) => function (callback) {
      const isLate = this.reportedHere && this.deferred.outcome?.link;
      if (isLate) this.deferred.registrations.push({ callback, called: true });
      else original.call(this, callback);
    }),

  'deferred.organic-unknown': () =>
    patch(DeferredLinks, 'register', (original) => function (callback) {
      if (this.outcome?.link === null) this.registrations.push({ callback, called: false });
      else original.call(this, callback);
    }),

  'deferred.again-on-second-init': () =>
    patch(LinkForty, 'initializeAgain', (original) => function () {
      const { outcome, registrations } = this.deferred;
      for (const registration of outcome ? registrations : []) {
        registration.called = false;
        this.deferred.deliver(registration);
      }
      return original.call(this);
    }),

  // ----- Reports that fail

  'deferred.offline-is-silent': () =>
    afterFailure(({ code }) => code === 'network' || code === 'timeout', ({ deferred }) => {
      deferred.outcome = { link: null }; // callbacks that are registered from now on are called
    }),

  'deferred.cut-answer-fails-start': () =>
    afterFailure(({ code, status }) => code === 'network' && status !== undefined, failure(undecodable)),

  'deferred.hang-without-null': () => afterFailure(({ code }) => code === 'timeout', silence),

  'deferred.five-hundred-fails-start': () => afterFailure((error) => statusOf(error) >= 500, failure((error) => error)),

  'deferred.only-500-fails-softly': () => afterFailure((error) => statusOf(error) > 500, silence),

  'deferred.refusal-is-empty-data': () =>
    afterFailure((error) => statusOf(error) >= 400 && statusOf(error) < 500, ({ deferred }) => deferred.settle({})),

  'deferred.redirect-is-silent': () => {
    const answers = answersOfErrors();
    const isRedirection = (error) => statusOf(error) >= 300 && statusOf(error) < 400;
    afterFailure((error) => isRedirection(error) && !answers.get(error).headers.location, silence);
  },

  'deferred.no-content-is-silence': () => {
    const answers = answersOfErrors();
    afterFailure((error) => answers.get(error)?.status === 204, silence);
  },

  'deferred.html-fails-start': () => {
    const isHTML = ({ status, headers }) => status === 200 && /^text\/html/i.test(headers['content-type'] ?? '');
    patch(AnswerReader, 'install', (original) => function (response) {
      if (isHTML(response)) throw this.unreadable('the answer is of type text/html');
      return original.call(this, response);
    });
    const answers = answersOfErrors();
    afterFailure((error) => answers.has(error) && isHTML(answers.get(error)), failure(undecodable));
  },

  'deferred.attributed-without-data-loses-id': () =>
    patch(LinkForty, 'keepInstall', (original) => function (install) {
      return install.attributed && install.deepLinkData === null ? install : original.call(this, install);
    }),

  'deferred.only-two-launches-try': () => {
    patch(LinkForty, 'makeSession', (original) => function (configuration) {
      this.choices.eventWithoutInstall = 'refuse';
      return original.call(this, configuration);
    });
    patch(LinkForty, 'reportInstall', (original) => async function (session) {
      this.launchesThatTried ??= this.memory.read('launchesThatTried') ?? 0;
      if (this.launchesThatTried >= 2) return this.notReported(session, new LinkFortyError('network', 'not tried again'));
      this.memory.write('launchesThatTried', this.launchesThatTried + 1);
      return original.call(this, session);
    });
  },
};
