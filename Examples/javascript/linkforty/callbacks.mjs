/** Calls the app back. What the app's code throws is the app's affair, and keeps no other callback from being called. */
function call(callback, value, log) {
  try {
    Promise.resolve(callback(value)).catch((error) => log('a callback was rejected', error));
  } catch (error) {
    log('a callback has thrown', error);
  }
}

/** Delivers the link behind the install: to each callback once, whether it was registered before or after. */
export class DeferredLinks {
  registrations = [];
  /** @type {{ link: object | null } | undefined} what there is to deliver, once it is known */
  outcome;

  /** @param {() => void} delivered is called when a link has reached a callback */
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
  /** the delivery that the next one has to wait for, where the order counts */
  previous = Promise.resolve();

  constructor({ choices, log }) {
    Object.assign(this, { choices, log });
  }

  register(callback) {
    this.callbacks.push(callback);
    for (const link of this.unheard.splice(0)) this.deliver(link);
  }

  /** Delivers what a promise will say. */
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
