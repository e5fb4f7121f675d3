import { Refusal } from './errors.mjs';
import { LinkData } from './link-data.mjs';
import { Visitors } from './visitors.mjs';

/** GET /api/sdk/v1/resolve/:code and /:slug/:code: an app asks what a link leads to. It counts as a click. */
export class Resolve {
  linkData = new LinkData();
  visitors = new Visitors();

  constructor(server) {
    this.server = server;
  }

  handle(exchange) {
    const { code, slug } = exchange.params;
    const link = this.find(code, slug);
    if (!link) return this.unknown(code, slug);
    const click = this.server.clicks.add(link, this.device(exchange));
    return this.found(click, exchange);
  }

  find(code, slug) {
    const link = this.server.links.find(code, slug);
    return link && this.isThere(link, slug) ? link : undefined;
  }

  isThere(link) {
    return this.server.links.isOpen(link);
  }

  device(exchange) {
    return this.visitors.device(exchange);
  }

  found(click) {
    return { status: 200, body: this.dataOf(click) };
  }

  dataOf({ link, clickedAt }) {
    return this.linkData.of(link, clickedAt);
  }

  unknown() {
    throw new Refusal(404, 'Link not found');
  }
}
