import { Refusal } from './errors.mjs';
import { LinkData } from './link-data.mjs';
import { Visitors } from './visitors.mjs';

/** A request for a link, by its code alone or by the slug of its template and its code. */
export class LinkVisit {
  linkData = new LinkData();
  visitors = new Visitors();

  constructor(server) {
    this.server = server;
  }

  find(code, slug) {
    const link = this.server.links.find(code, slug);
    return link && this.isThere(link, slug) ? link : undefined;
  }

  isThere(link) {
    return this.server.links.isOpen(link);
  }

  unknown() {
    throw new Refusal(404, 'Link not found');
  }
}
