import { LinkFortyError } from './errors.mjs';

const TEXTS = ['iosUrl', 'androidUrl', 'webUrl', 'deepLinkPath', 'appScheme', 'linkId'];
export const CAMPAIGN = ['source', 'medium', 'campaign', 'term', 'content'];

/**
 * @typedef {object} DeepLinkData
 * @property {string} shortCode
 * @property {string} [iosUrl]
 * @property {string} [androidUrl]
 * @property {string} [webUrl]
 * @property {Record<string, string>} [utmParameters]
 * @property {Record<string, string>} [customParameters]
 * @property {string} [deepLinkPath]
 * @property {string} [appScheme]
 * @property {string} [clickedAt]
 * @property {string} [linkId]
 */

/**
 * The known facts about an install.
 * @typedef {object} Install
 * @property {string | null} installId
 * @property {boolean} attributed
 * @property {number} confidenceScore
 * @property {string[]} matchedFactors
 * @property {DeepLinkData | null} deepLinkData
 */

/** Reads answers of servers. Ignores unknown members. null counts as absent. */
export class AnswerReader {
  constructor(choices) {
    this.choices = choices;
  }

  /** @returns {Install} */
  install(response) {
    const answer = this.object(response);
    if (!isFilled(answer.installId)) throw this.unreadable('the answer has no install id');
    if (this.choices.reading === 'strict') this.demandModel(answer);
    const attributed = answer.attributed === true;
    return {
      installId: answer.installId,
      attributed,
      confidenceScore: typeof answer.confidenceScore === 'number' ? answer.confidenceScore : 0,
      matchedFactors: this.factors(answer.matchedFactors),
      deepLinkData: attributed ? this.link(answer.deepLinkData) : null,
    };
  }

  demandModel({ attributed, confidenceScore, matchedFactors }) {
    if (typeof attributed !== 'boolean') throw this.unreadable('attributed is no boolean');
    if (typeof confidenceScore !== 'number') throw this.unreadable('confidenceScore is no number');
    if (!Array.isArray(matchedFactors)) throw this.unreadable('matchedFactors is no list');
  }

  factors(list) {
    return Array.isArray(list) ? list.filter((factor) => typeof factor === 'string') : [];
  }

  /** @returns {DeepLinkData} */
  resolvedLink(response) {
    const link = this.link(this.object(response));
    if (!link) throw this.unreadable('the answer has no short code');
    return link;
  }

  /** Reads a link. A value without a short code is not a link. @returns {DeepLinkData | null} */
  link(answer) {
    if (!isObject(answer) || !isFilled(answer.shortCode)) return null;
    const source = this.choices.legacyNames ? this.withCanonicalNames(answer) : answer;
    const members = TEXTS.filter((name) => typeof source[name] === 'string').map((name) => [name, source[name]]);
    return {
      shortCode: source.shortCode,
      ...Object.fromEntries(members),
      ...this.member('utmParameters', this.campaign(source.utmParameters)),
      ...this.member('customParameters', this.custom(source.customParameters)),
      ...this.member('clickedAt', this.time(source.clickedAt)),
    };
  }

  withCanonicalNames(answer) {
    return {
      ...answer,
      webUrl: answer.webUrl ?? answer.webFallbackUrl,
      customParameters: answer.customParameters ?? answer.deepLinkParameters,
    };
  }

  member(name, value) {
    return value === undefined ? {} : { [name]: value };
  }

  campaign(parameters) {
    if (!isObject(parameters)) return undefined;
    const known = CAMPAIGN.filter((name) => typeof parameters[name] === 'string');
    return known.length ? Object.fromEntries(known.map((name) => [name, parameters[name]])) : undefined;
  }

  custom(parameters) {
    if (!isObject(parameters)) return undefined;
    const kept = Object.entries(parameters).map(([name, value]) => [name, this.text(value)]);
    const texts = kept.filter(([, value]) => value !== undefined);
    return texts.length ? Object.fromEntries(texts) : undefined;
  }

  text(value) {
    if (typeof value === 'string') return value;
    if (this.choices.otherParameters === 'drop' || value === null) return undefined;
    return JSON.stringify(value);
  }

  time(value) {
    if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) return undefined;
    return this.choices.clickTime === 'utc' ? new Date(value).toISOString() : value;
  }

  /**
   * Reads a created link: in the form of the model, or as a row of the server's database.
   * @param {(shortCode: string) => string} makeURL makes the URL if the server does not send it
   */
  createdLink(response, makeURL) {
    const answer = this.object(response);
    const link = this.isRow(answer) ? this.row(answer, makeURL) : this.model(answer);
    if (!isFilled(link.url) || !isFilled(link.shortCode) || !isFilled(link.linkId)) {
      throw this.unreadable('the answer lacks a part of the link');
    }
    return typeof answer.deduplicated === 'boolean' ? { ...link, deduplicated: answer.deduplicated } : link;
  }

  /** Whether only the form of the database is present. If the answer has both forms, the server's own URL is used. */
  isRow({ url, shortCode, short_code: code }) {
    return isFilled(code) && !(isFilled(url) && isFilled(shortCode));
  }

  row(answer, makeURL) {
    return { url: makeURL(answer.short_code), shortCode: answer.short_code, linkId: answer.id };
  }

  model({ url, shortCode, linkId }) {
    return { url, shortCode, linkId };
  }

  object({ headers, body }) {
    if (this.choices.wantsJSONType && !/json/i.test(headers['content-type'] ?? '')) {
      throw this.unreadable('the answer does not say that it is JSON');
    }
    const value = this.parse(body);
    if (!isObject(value)) throw this.unreadable('the answer is no JSON object');
    return value;
  }

  parse(body) {
    try {
      return JSON.parse(body);
    } catch (cause) {
      throw this.unreadable('the answer is no JSON', cause);
    }
  }

  unreadable(why, cause) {
    return new LinkFortyError(this.choices.fewErrors ? 'server' : 'unreadable-answer', why, { cause });
  }
}

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFilled(value) {
  return typeof value === 'string' && value !== '';
}
