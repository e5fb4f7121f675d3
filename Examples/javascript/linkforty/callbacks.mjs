/** Calls a callback of the app. If it throws, the error is logged, and the other callbacks are called nevertheless. */
function call(callback, value, log) {
  try {
    Promise.resolve(callback(value)).catch((error) => log('a callback was rejected', error));
  } catch (error) {
    log('a callback has thrown', error);
  }
}

/** Delivers the link that led to the install, once to each callback. A callback may be registered before or after. */
export class DeferredLinks {
  registrations = [];
  /** @type {{ link: object | null } | undefined} the link to deliver, once it is known */
  outcome;

  /** @param {() => void} delivered is called when a callback gets a link */
  constructor({ delivered, log }) {
    Object.assign(this, { delivered, log });
  }

  register(callback) {
    const registration = { callback, called: false };
    this.registrations.push(registration);
    if (this.outcome) this.deliver(registration);
  }

  settle(link) {
    this.outcome = { link };
    for (const registration of this.registrations) this.deliver(registration);
  }

  deliver(registration) {
    if (registration.called) return;
    registration.called = true;
    if (this.outcome.link) this.delivered();
    call(registration.callback, this.outcome.link, this.log);
  }

  forgetOutcome() {
    this.outcome = undefined;
  }

  forgetCallbacks() {
    this.registrations = [];
  }
}

/** Delivers links that open the app to every callback. */
export class DirectLinks {
  callbacks = [];
  unheard = [];
  /** the delivery for which the next one waits if links are delivered in order */
  previous = Promise.resolve();

  constructor({ choices, log }) {
    Object.assign(this, { choices, log });
  }

  register(callback) {
    this.callbacks.push(callback);
    for (const link of this.unheard.splice(0)) this.deliver(link);
  }

  /** Delivers the link of a promise. */
  async deliverWhenReady(url, lookingUp) {
    const before = this.previous;
    const delivery = async () => {
      const data = await lookingUp;
      if (this.choices.linkDelivery === 'in-order') await before;
      this.deliver({ url, data });
    };
    this.previous = delivery();
    return this.previous;
  }

  deliver(link) {
    if (this.callbacks.length === 0) return this.hold(link);
    for (const callback of [...this.callbacks]) call(callback, { ...link }, this.log);
  }

  hold(link) {
    if (this.choices.unheardLink === 'hold') this.unheard.push(link);
  }

  forgetCallbacks() {
    this.callbacks = [];
  }

  forgetLinks() {
    this.unheard = [];
  }
}
