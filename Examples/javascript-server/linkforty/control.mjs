import { Refusal } from './errors.mjs';

/** POST /_conform/…: the commands of an operator, for the hooks of provisioning.yaml. */
export class Control {
  constructor(server) {
    this.server = server;
  }

  routes() {
    return ['createTemplate', 'createLink', 'setLinkState', 'ageClicks'].map((name) => ({
      method: 'POST',
      path: `/_conform/${name}`,
      free: true,
      handle: async (exchange) => ({ status: 200, body: this[name](await exchange.json()) }),
    }));
  }

  createTemplate({ slug }) {
    const { templates } = this.server;
    const template = templates.withSlug(slug) ?? templates.add({ slug, webUrl: 'https://shop.example.com/' });
    return { templateId: template.id, templateSlug: template.slug };
  }

  createLink({ options: { templateId, ...rest } }) {
    const template = templateId && this.server.templates.withId(templateId);
    if (templateId && !template) throw new Refusal(404, 'There is no such template');
    const link = this.server.links.add({ ...rest, template });
    return { linkId: link.id, shortCode: link.code, templateSlug: template?.slug ?? null, templateId: template?.id ?? null };
  }

  setLinkState({ shortCode, state }) {
    this.server.links.setState(this.link(shortCode), state);
    return null;
  }

  ageClicks({ shortCode, seconds }) {
    this.server.clicks.age(this.link(shortCode), seconds);
    return null;
  }

  link(code) {
    const link = this.server.links.withCode(code);
    if (!link) throw new Refusal(404, 'There is no such link');
    return link;
  }
}
