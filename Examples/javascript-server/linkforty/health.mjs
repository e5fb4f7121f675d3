/** GET /api/sdk/v1/health */
export class Health {
  constructor({ clock }) {
    this.clock = clock;
  }

  handle() {
    return { status: 200, body: this.body() };
  }

  body() {
    return { status: 'healthy', version: 'v1', timestamp: new Date(this.clock.now()).toISOString() };
  }
}
