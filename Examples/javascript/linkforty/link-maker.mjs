import { LinkFortyError } from './errors.mjs';

/**
 * The options of a link. An option that the app does not set is left out of the request.
 * @typedef {object} CreateLinkOptions
 * @property {string} [templateId]
 * @property {string} [templateSlug]  for the URL of the link
 * @property {Record<string, string>} [deepLinkParameters]
 * @property {string} [title]
 * @property {string} [description]
 * @property {string} [customCode]
 * @property {Record<string, string>} [utmParameters]
 * @property {string} [externalUserId]
 */
const MEMBERS = ['templateId', 'deepLinkParameters', 'title', 'description', 'customCode', 'utmParameters'];

/** Creates links at the server of one session. */
export class LinkMaker {
  constructor({ api, answers, choices }) {
    Object.assign(this, { api, answers, choices });
  }

  /** @param {CreateLinkOptions} options @param {string | null} user the external user id that was set */
  async create(options, user) {
    this.demandKey();
    const order = this.order(options, user);
    const response = await this.api.post(this.path(options), order, { retries: this.retries() });
    return this.answers.createdLink(response, (shortCode) => this.url(options, shortCode));
  }

  demandKey() {
    if (!this.api.configuration.apiKey) throw missingKey();
  }

  retries() {
    return this.choices.retryLinks ? this.choices.retries : 0;
  }

  path({ templateId }) {
    return templateId ? '/api/links' : '/api/sdk/v1/links';
  }

  order(options, user) {
    const names = this.choices.slugSent ? [...MEMBERS, 'templateSlug'] : MEMBERS;
    const given = names.filter((name) => this.isGiven(options[name], name)).map((name) => [name, options[name]]);
    const owner = this.user(options, user);
    return { ...Object.fromEntries(given), ...(owner ? { externalUserId: owner } : {}) };
  }

  isGiven(value, name) {
    return value !== undefined && value !== null && (name !== 'templateId' || value !== '');
  }

  user({ externalUserId }, user) {
    if (externalUserId === '') return this.choices.emptyUser === 'override' ? undefined : user;
    return externalUserId ?? user;
  }

  /** The URL of a link, if the server has sent only the short code. */
  url({ templateSlug }, shortCode) {
    const { base } = this.api.configuration;
    const origin = `${base.secure ? 'https' : 'http'}://${base.host}${base.port && `:${base.port}`}`;
    const segments = [templateSlug, shortCode].filter((segment) => segment).map(encodeURIComponent);
    return [origin + base.path, ...segments].join('/');
  }
}

export const missingKey = () => new LinkFortyError('missing-api-key', 'creating links needs an API key');
