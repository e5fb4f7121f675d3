import { Refusal } from './errors.mjs';
import { Shape } from './shape.mjs';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)$/;

/** POST /api/sdk/v1/event: an app reports an event of an install. */
export class EventIntake {
  constructor(server) {
    this.server = server;
  }

  async handle(exchange) {
    const event = this.read(await exchange.json());
    const install = this.server.installs.find(event.installId);
    return install ? this.accept(install, event) : this.unknown(event);
  }

  members() {
    return {
      installId: { type: 'text', required: true, check: (value) => this.checkInstallId(value) },
      eventName: { type: 'text', required: true, check: (value) => this.checkName(value) },
      eventData: { type: 'object', nullable: false },
      timestamp: { type: 'text', check: (value) => this.checkTime(value) },
      attributedLinkId: { type: 'text', check: (value) => this.checkId(value) },
      attributedClickId: { type: 'text', check: (value) => this.checkId(value) },
      sessionId: { type: 'text', check: (value) => this.checkId(value) },
      linkOpenedAt: { type: 'text', check: (value) => this.checkTime(value) },
      sdkName: { type: 'text', longest: 50 },
      sdkVersion: { type: 'text', longest: 50 },
    };
  }

  read(body) {
    return new Shape(this.members()).read(body);
  }

  checkInstallId(value) {
    return this.checkId(value);
  }

  checkId(value) {
    return UUID.test(value) ? undefined : 'has to be a UUID';
  }

  checkName(value) {
    const length = [...value].length;
    return length >= 1 && length <= 255 ? undefined : 'has to have 1 to 255 characters';
  }

  checkTime(value) {
    const [, time, zone] = TIME.exec(value) ?? [];
    return time && !Number.isNaN(Date.parse(time.replace(/(\.\d{3})\d+$/, '$1') + zone))
      ? undefined
      : 'has to be a time in ISO 8601, with its zone';
  }

  accept(install, event) {
    const at = event.timestamp ?? new Date(this.server.clock.now()).toISOString();
    const { id } = this.server.events.add({ install, name: event.eventName, data: event.eventData ?? {}, at });
    return { status: 200, body: { eventId: id, acknowledged: true } };
  }

  unknown() {
    throw new Refusal(404, 'Install not found');
  }
}
