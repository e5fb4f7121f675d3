import { Refusal } from './errors.mjs';

/** Finds the handler of a request. A segment `:name` of a route matches any text. The first matching route is used. */
export class Router {
  constructor(routes) {
    this.routes = routes.map((route) => ({ ...route, pattern: route.path.slice(1).split('/') }));
  }

  /** @returns {{ route: object, params: object }} */
  find(method, path) {
    const segments = this.split(path);
    const fitting = this.routes.filter(({ pattern }) => this.fits(pattern, segments));
    if (fitting.length === 0) throw new Refusal(404, `There is no ${path}`);
    // The first matching path hides later paths with holes, whatever the method of its routes is.
    const written = fitting.filter(({ pattern }) => pattern.join() === fitting[0].pattern.join());
    const route = written.find((one) => one.method === method || (one.method === 'GET' && method === 'HEAD'));
    if (!route) {
      const allowed = written.map((one) => one.method).join(', ');
      throw new Refusal(405, `${path} does not answer to ${method}`, { headers: { Allow: allowed } });
    }
    return { route, params: this.params(route.pattern, segments) };
  }

  split(path) {
    return path.slice(1).split('/').map((segment) => this.decode(segment));
  }

  decode(segment) {
    try {
      return decodeURIComponent(segment);
    } catch {
      throw new Refusal(400, 'The path has a broken percent escape');
    }
  }

  fits(pattern, segments) {
    return pattern.length === segments.length
      && pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]));
  }

  params(pattern, segments) {
    const holes = pattern.map((part, index) => [part, segments[index]]).filter(([part]) => part.startsWith(':'));
    return Object.fromEntries(holes.map(([part, text]) => [part.slice(1), text]));
  }
}
