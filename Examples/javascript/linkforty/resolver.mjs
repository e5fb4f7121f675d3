import { CAMPAIGN } from './answers.mjs';

/** Asks the server what a link leads to. A link that opened the app waits for one attempt, and no longer. */
export class Resolver {
  constructor({ api, fingerprint, answers, choices }) {
    Object.assign(this, { api, fingerprint, answers, choices });
  }

  /**
   * @param {string[]} segments one or two, as they stand in the URL
   * @param {Record<string, string>} [campaign]
   */
  async resolve(segments, decode, campaign) {
    const query = this.query({ ...this.fingerprint.query(), ...this.forwarded(campaign) });
    const response = await this.api.get(this.path(segments.map(decode)), query, { timeout: this.choices.resolveTimeout });
    return this.answers.resolvedLink(response);
  }

  path(segments) {
    return `/api/sdk/v1/resolve/${segments.map(encodeURIComponent).join('/')}`;
  }

  query(members) {
    return `?${Object.entries(members).map(([name, value]) => `${name}=${this.encode(value)}`).join('&')}`;
  }

  encode(value) {
    if (this.choices.queryEncoding === 'form') return new URLSearchParams([['', value]]).toString().slice(1);
    return encodeURIComponent(value);
  }

  forwarded(campaign = {}) {
    if (!this.choices.forwardsCampaign) return {};
    const sent = CAMPAIGN.filter((name) => campaign[name] !== undefined);
    return Object.fromEntries(sent.map((name) => [`utm_${name}`, campaign[name]]));
  }
}
