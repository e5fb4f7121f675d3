import { Refusal } from './errors.mjs';

const MINUTE = 60_000;

/** Counts the requests of each client in a minute. Requests of the machine itself are not limited. */
export class RateLimiter {
  minutes = new Map();

  constructor({ limit, clock }) {
    Object.assign(this, { limit, clock });
  }

  minuteOf(client) {
    const now = this.clock.now();
    const known = this.minutes.get(client);
    if (known && now < known.end) return known;
    const minute = { count: 0, end: now + MINUTE };
    this.minutes.set(client, minute);
    return minute;
  }

  isFree(client) {
    return client === '::1' || client.startsWith('127.');
  }

  count(client) {
    if (this.isFree(client)) return;
    const minute = this.minuteOf(client);
    minute.count += 1;
    if (this.isOver(minute)) throw this.refusal(minute);
  }

  isOver({ count }) {
    return count > this.limit;
  }

  refusal(minute) {
    const seconds = this.secondsLeft(minute);
    return new Refusal(429, `More than ${this.limit} requests in a minute`, {
      headers: { 'Retry-After': String(seconds) },
      members: { retryAfter: seconds },
    });
  }

  secondsLeft({ end }) {
    return Math.max(1, Math.ceil((end - this.clock.now()) / 1000));
  }

  left({ count }) {
    return Math.max(0, this.limit - count);
  }

  headers(client) {
    if (this.isFree(client)) return {};
    const minute = this.minuteOf(client);
    return {
      'X-RateLimit-Limit': String(this.limit),
      'X-RateLimit-Remaining': String(this.left(minute)),
      'X-RateLimit-Reset': String(Math.ceil(minute.end / 1000)),
    };
  }
}
