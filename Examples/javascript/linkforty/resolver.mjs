import { CAMPAIGN } from './answers.mjs';

/** Asks the server for the data of a link. Makes only one attempt, since the app waits for the link. */
export class Resolver {
  constructor({ api, fingerprint, answers, choices }) {
    Object.assign(this, { api, fingerprint, answers, choices });
  }

  /**
   * @param {string[]} segments one or two segments, as written in the URL
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
