import { Agents } from './agents.mjs';
import { LinkVisit } from './link-visit.mjs';

/** GET /:code and /:slug/:code: a browser opens a link and is redirected to the destination. */
export class Opening extends LinkVisit {
  agents = new Agents();

  handle(exchange) {
    const { code, slug } = exchange.params;
    const link = this.find(code, slug);
    if (!link) return this.unknown(code, slug);
    const device = this.visitors.device(exchange);
    this.server.clicks.add(link, device);
    return this.lead(link, device);
  }

  lead(link, device) {
    const target = this.target(link, device);
    if (this.triesApp(link, device)) return this.page(this.appUrl(link), target);
    return target ? { status: 302, headers: { Location: target } } : this.page();
  }

  /** The destination: the store for a telephone, and the web for other devices. A browser in another app cannot open a store. */
  target(link, device) {
    const web = link.webUrl ?? link.template?.webUrl;
    const store = this.agents.isInApp(device.userAgent) ? undefined : this.store(link, device);
    if (store) return store;
    if (web) return this.withParameters(web, link);
    return link.iosUrl ?? link.androidUrl;
  }

  store(link, device) {
    const platform = this.agents.platform(device);
    if (['iphone', 'ipad', 'ios'].includes(platform)) return link.iosUrl;
    return platform === 'android' ? link.androidUrl : undefined;
  }

  triesApp(link, device) {
    return Boolean(link.appScheme) && ['iphone', 'ipad', 'ios', 'android'].includes(this.agents.platform(device))
      && !this.agents.isInApp(device.userAgent);
  }

  appUrl(link) {
    return this.withParameters(`${link.appScheme}://${(link.deepLinkPath ?? '').replace(/^\//, '')}`, link);
  }

  withParameters(url, link) {
    const campaign = Object.entries(this.linkData.campaign(link) ?? {}).map(([name, value]) => [`utm_${name}`, value]);
    const custom = Object.entries(this.linkData.custom(link) ?? {});
    const query = new URLSearchParams([...campaign, ...custom]).toString();
    if (!query) return url;
    const [, start, fragment] = /^([^#]*)(.*)$/s.exec(url);
    return `${start}${start.includes('?') ? '&' : '?'}${query}${fragment}`;
  }

  /** a page that tries to open the app, and opens the destination if the app does not open */
  page(app, target) {
    const script = [
      app && `location.href = ${this.quoted(app)};`,
      target && `setTimeout(() => { location.href = ${this.quoted(target)}; }, 1500);`,
    ].filter(Boolean);
    const text = '<!DOCTYPE html><html><head><meta charset="utf-8"><title>Opening</title></head>'
      + `<body><p>Opening the app.</p><script>${script.join(' ')}</script></body></html>`;
    return { status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }, text };
  }

  quoted(text) {
    return JSON.stringify(text).replaceAll('<', '\\u003c');
  }
}
