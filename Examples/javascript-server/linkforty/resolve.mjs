import { LinkVisit } from './link-visit.mjs';

/** GET /api/sdk/v1/resolve/:code and /:slug/:code: an app requests the data of a link. The request counts as a click. */
export class Resolve extends LinkVisit {
  handle(exchange) {
    const { code, slug } = exchange.params;
    const link = this.find(code, slug);
    if (!link) return this.unknown(code, slug);
    const click = this.server.clicks.add(link, this.device(exchange));
    return this.found(click, exchange);
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
}
