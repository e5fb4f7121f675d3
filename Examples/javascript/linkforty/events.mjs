import { invalidEvent, LinkFortyError } from './errors.mjs';
import { isObject } from './answers.mjs';

const LONGEST_NAME = 255;

/**
 * An event as the app tracked it. An event without an install id waits until there is one.
 * @typedef {{ name: string, data: object, time: string, installId: string | null, number: number }} Event
 */

/** Makes events from the arguments of the app, and refuses invalid arguments. */
export class EventMaker {
  count = 0;

  constructor({ choices, clock, memory }) {
    Object.assign(this, { choices, clock, memory });
  }

  /** @returns {Event} */
  make(name, properties) {
    this.checkName(name);
    const data = this.copy(properties);
    this.count += 1;
    return { name, data, time: this.timestamp(), installId: this.memory.installId(), number: this.count };
  }

  /** Revenue is an event with an amount and a currency. */
  makeRevenue(amount, currency, properties) {
    const money = { ...this.amountMembers(this.readAmount(amount)), currency: this.readCurrency(currency) };
    const data = this.copy(properties);
    const merged = this.choices.amountCollision === 'sdk' ? { ...data, ...money } : { ...money, ...data };
    return this.make(this.choices.revenueName, merged);
  }

  checkName(name) {
    if (typeof name !== 'string' || name.trim() === '') throw invalidEvent('the name of the event is empty');
    if (this.choices.longName === 'refuse' && [...name].length > LONGEST_NAME) throw invalidEvent('the name is too long');
  }

  /** Copies the properties, so that later changes by the app do not change the event. The properties must be JSON. */
  copy(properties) {
    if (properties === undefined || properties === null) return {};
    if (!isObject(properties)) throw invalidEvent('the properties are no object');
    try {
      const copy = JSON.parse(JSON.stringify(properties, refuseWhatIsNoJSON));
      if (this.choices.nullProperties === 'sent') return copy;
      return Object.fromEntries(Object.entries(copy).filter(([, value]) => value !== null));
    } catch (cause) {
      throw cause instanceof LinkFortyError ? cause : invalidEvent(cause.message);
    }
  }

  timestamp() {
    const text = new Date(this.clock.now()).toISOString();
    if (this.choices.timestamps === 'seconds') return text.replace(/\.\d+Z$/, 'Z');
    return this.choices.timestamps === 'microseconds' ? text.replace(/Z$/, '000Z') : text;
  }

  /** An amount is a number, or a decimal number as text. */
  readAmount(amount) {
    const number = typeof amount === 'string' ? this.parseAmount(amount) : amount;
    if (typeof number !== 'number' || !Number.isFinite(number)) throw invalidEvent('the amount is no number');
    if (number < 0 && this.choices.negativeAmount === 'refuse') throw invalidEvent('the amount is negative');
    return number;
  }

  parseAmount(text) {
    return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
  }

  readCurrency(currency) {
    if (typeof currency !== 'string') throw invalidEvent('the currency is no text');
    if (currency === '' && this.choices.emptyCurrency === 'refuse') throw invalidEvent('the currency is empty');
    return currency;
  }

  amountMembers(amount) {
    const names = this.choices.amountName === 'both' ? ['amount', 'revenue'] : [this.choices.amountName];
    return Object.fromEntries(names.map((name) => [name, amount]));
  }
}

/** Sends events to the server of one session, and keeps those that cannot be sent. */
export class EventSender {
  constructor({ api, queue, memory, choices, clock, log, isOver, sessionId }) {
    Object.assign(this, { api, queue, memory, choices, clock, log, isOver, sessionId });
  }

  /** Sends an event that the app has just tracked. @param {Event} event */
  async track(event) {
    if (this.mustWait(event)) return this.enqueue(event);
    const era = this.memory.era;
    try {
      await this.deliver(event, () => !this.isOver() && this.memory.era === era);
    } catch (error) {
      if (this.isWorthKeeping(error) && this.memory.era === era) this.enqueue(event);
      if (this.isTold(error)) throw error;
      return;
    }
    this.flushSoon();
  }

  mustWait(event) {
    if (!this.installIdOf(event)) return true;
    if (this.api.offline && this.choices.trustsNetworkHint) return true;
    return this.choices.eventsInOrder && this.queue.size > 0;
  }

  enqueue(event) {
    const added = this.queue.add(event);
    if (this.choices.eventsInOrder && !this.api.offline) this.flushSoon();
    this.flushLater();
    if (!added && this.choices.overflowTold) throw invalidEvent('the queue is full');
  }

  /** Whether an event that failed with this error may arrive later. */
  isWorthKeeping(error) {
    return this.api.mayPass(error) || this.choices.refusedEvent === 'queue';
  }

  /** Whether the app gets the error. It does not get a network failure by default, since the event is stored. */
  isTold(error) {
    return error.code === 'server' || this.choices.networkFailureTold;
  }

  /** @param {Event} event @param {() => boolean} wanted returns whether the event must still be sent */
  async deliver(event, wanted) {
    await this.turn();
    this.queue.depart(event);
    try {
      if (!wanted()) throw new LinkFortyError('network', 'the SDK has stopped sending');
      await this.send(event, wanted);
    } catch (error) {
      if (!this.api.wasAccepted(error)) throw error;
    } finally {
      this.queue.arrive(event);
      this.nextTurn();
    }
  }

  /** Sends an event. Any 2xx status is a success, whatever the body contains. */
  send(event, wanted) {
    return this.api.post('/api/sdk/v1/event', this.body(event), { retries: this.choices.retries, wanted });
  }

  body(event) {
    return {
      installId: this.installIdOf(event),
      eventName: event.name,
      ...this.eventData(event),
      timestamp: event.time,
      ...(this.choices.sessionIds ? { sessionId: this.sessionId } : {}),
      ...(this.choices.eventNumbers ? { eventNumber: event.number } : {}),
    };
  }

  eventData({ data }) {
    return this.choices.emptyDataLeftOut && Object.keys(data).length === 0 ? {} : { eventData: data };
  }

  installIdOf(event) {
    return event.installId ?? this.memory.installId();
  }

  // ----- The number of events that are sent at the same time

  sending = 0;
  waiting = [];

  /** Waits until a further event may be sent. */
  async turn() {
    if (this.sending < this.choices.eventsAtOnce) this.sending += 1;
    else await new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Lets the next waiting event take the place of an event that has ended. */
  nextTurn() {
    const next = this.waiting.shift();
    if (next) next();
    else this.sending -= 1;
  }

  // ----- Flushing

  /** @type {Promise<void> | undefined} */
  flushing;

  /** Sends queued events. If a flush is running, a further call waits for this flush. */
  flush() {
    this.flushing ??= this.drain().finally(() => (this.flushing = undefined));
    return this.flushing;
  }

  drain() {
    return this.choices.flushOrder === 'together' ? this.drainTogether() : this.drainInSequence();
  }

  async drainInSequence() {
    let refusal;
    for (let event = this.next(); event; event = this.next()) {
      const error = await this.deliverQueued(event);
      if (error && this.isWorthKeeping(error)) throw error;
      refusal ??= error;
    }
    if (refusal) throw refusal;
  }

  /** The oldest event that can be sent. */
  next() {
    const event = this.queue.next();
    return event && this.mayLeave(event) ? event : undefined;
  }

  mayLeave(event) {
    return !this.isOver() && Boolean(this.installIdOf(event));
  }

  async drainTogether() {
    const ready = this.queue.idle().filter((event) => this.installIdOf(event));
    const errors = await Promise.all(ready.map((event) => this.deliverQueued(event)));
    const error = errors.find((error) => error);
    if (error) throw error;
  }

  /** Sends a queued event. Removes it from the queue unless it must be sent again. @returns {Promise<Error | undefined>} */
  async deliverQueued(event) {
    try {
      await this.deliver(event, () => !this.isOver() && this.queue.has(event));
    } catch (error) {
      if (!this.isWorthKeeping(error) && this.queue.has(event)) this.queue.remove(event);
      return error;
    }
    this.accepted(event);
    return undefined;
  }

  accepted(event) {
    if (this.queue.has(event)) this.queue.remove(event);
  }

  /** Flushes without a call of the app. */
  flushSoon() {
    if (this.queue.size === 0 || this.isOver()) return;
    this.flush().catch((error) => {
      this.log('the queue was not sent', error);
      this.flushLater();
    });
  }

  /** Flushes again after a pause, as long as events are queued. */
  flushLater() {
    if (this.choices.queueTimer === 0 || this.timer !== undefined) return;
    this.timer = this.clock.setTimeout(() => {
      this.timer = undefined;
      this.flushSoon();
    }, this.choices.queueTimer);
  }

  stop() {
    if (this.timer !== undefined) this.clock.clearTimeout(this.timer);
  }
}

/** @this {object} the object that contains the original value; `value` is the result of toJSON() */
function refuseWhatIsNoJSON(key, value) {
  const original = this[key];
  const isNumber = typeof original === 'number' && Number.isFinite(original);
  if (original === null || isNumber || ['string', 'boolean'].includes(typeof original)) return value;
  if (original === undefined || Array.isArray(original) || original instanceof Date || isObject(original)) return value;
  throw invalidEvent(`JSON cannot say the property ${key}`);
}
