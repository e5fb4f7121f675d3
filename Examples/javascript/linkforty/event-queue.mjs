const CAPACITY = 100;

/** Events that wait to be sent, the oldest first. Each change is stored before the next thing happens. */
export class EventQueue {
  /** events that are on their way: queued ones, which stay queued until they have arrived, and others */
  departed = new Set();

  constructor(memory, choices) {
    Object.assign(this, { memory, choices });
    this.events = this.restore();
    this.recoverDeparted();
  }

  /** Events that were on their way when the last launch ended: nobody knows whether they have arrived. */
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

  /** @returns {boolean} whether there was room, or room was made */
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

  /** The oldest event that is not on its way. */
  next() {
    return this.events.find((event) => !this.departed.has(event));
  }

  /** All that are not on their way. */
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

  /** Forgets the events that are in memory; the storage was wiped by others. */
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

  /** Stores the events that are on their way and stored nowhere else. */
  writeAhead() {
    if (!this.choices.writesAhead) return;
    this.memory.saveDeparted([...this.departed].filter((event) => !this.has(event)));
  }

  save() {
    this.memory.saveEvents(this.events);
  }
}
