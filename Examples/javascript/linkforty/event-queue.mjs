const CAPACITY = 100;

/** The events that wait to be sent, the oldest first. Each change is stored at once. */
export class EventQueue {
  /** the events that are being sent; queued events stay in the queue until they have arrived */
  departed = new Set();

  constructor(memory, choices) {
    Object.assign(this, { memory, choices });
    this.events = this.restore();
    this.recoverDeparted();
  }

  /** Queues the events that were being sent when the last launch ended, since they may not have arrived. */
  recoverDeparted() {
    const departed = this.memory.departed();
    for (const event of departed) this.add(event);
    if (departed.length) this.memory.saveDeparted([]);
  }

  restore() {
    return this.memory.events().slice(0, CAPACITY);
  }

  get size() {
    return this.events.length;
  }

  /** @returns {boolean} whether the event was added; a full queue may drop its oldest event */
  add(event) {
    if (this.size < CAPACITY) {
      this.append(event);
      return true;
    }
    if (this.choices.overflow === 'newest') return false;
    this.events.shift();
    this.append(event);
    return true;
  }

  append(event) {
    this.events.push(event);
    this.save();
  }

  /** The oldest event that is not being sent. */
  next() {
    return this.events.find((event) => !this.departed.has(event));
  }

  /** All events that are not being sent. */
  idle() {
    return this.events.filter((event) => !this.departed.has(event));
  }

  has(event) {
    return this.events.includes(event);
  }

  remove(event) {
    this.events = this.events.filter((other) => other !== event);
    this.save();
  }

  clear() {
    this.events = [];
    this.save();
  }

  /** Removes the events from memory. The caller has removed them from the storage. */
  forget() {
    this.events = [];
    this.departed.clear();
  }

  depart(event) {
    this.departed.add(event);
    if (!this.has(event)) this.writeAhead();
  }

  arrive(event) {
    if (this.departed.delete(event) && !this.has(event)) this.writeAhead();
  }

  /** Stores the events that are being sent and are not in the queue. */
  writeAhead() {
    if (!this.choices.writesAhead) return;
    this.memory.saveDeparted([...this.departed].filter((event) => !this.has(event)));
  }

  save() {
    this.memory.saveEvents(this.events);
  }
}
