import { Refusal } from './errors.mjs';

/** The keys with which links can be created. */
export class ApiKeys {
  constructor(keys) {
    this.keys = keys;
  }

  check(request) {
    const key = this.keyOf(request.headers.authorization);
    if (key === undefined || !this.isGood(key)) throw this.refusal(key);
  }

  keyOf(field = '') {
    return /^Bearer +(\S+)$/i.exec(field)?.[1];
  }

  isGood(key) {
    return this.keys.includes(key);
  }

  refusal(key) {
    const message = key === undefined ? 'An API key is required' : 'The API key is not valid';
    return new Refusal(401, message, { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
}
