import { LinkData } from './link-data.mjs';
import { Matcher } from './matcher.mjs';
import { Shape } from './shape.mjs';

/** POST /api/sdk/v1/install: an app reports its first launch, and gets the link that led to the install. */
export class InstallReports {
  linkData = new LinkData();

  constructor(server) {
    this.server = server;
    this.matcher = new Matcher(server);
  }

  async handle(exchange) {
    const report = this.read(await exchange.json(), exchange);
    const device = { ...report, address: this.address(exchange) };
    const match = this.matcher.match(device);
    const { id } = this.server.installs.add(report);
    return { status: 200, body: match ? this.attributed(id, match) : this.organic(id, device) };
  }

  /** The members of a report. Texts that are longer than their column are truncated. */
  members() {
    return {
      userAgent: { type: 'text', required: true, longest: 1024 },
      timezone: { type: 'text', longest: 100 },
      language: { type: 'text', longest: 35 },
      screenWidth: { type: 'number' },
      screenHeight: { type: 'number' },
      platform: { type: 'text', longest: 50 },
      platformVersion: { type: 'text', longest: 50 },
      appVersion: { type: 'text', longest: 50 },
      deviceId: { type: 'text', longest: 255 },
      attributionWindowHours: { type: 'number' },
      appToken: { type: 'text', longest: 255 },
      sdkName: { type: 'text', longest: 50 },
      sdkVersion: { type: 'text', longest: 50 },
    };
  }

  read(body) {
    return new Shape(this.members()).read(body);
  }

  address({ address }) {
    return address;
  }

  attributed(installId, match) {
    return {
      installId,
      attributed: true,
      confidenceScore: match.score,
      matchedFactors: match.factors,
      deepLinkData: this.dataOf(match),
    };
  }

  dataOf({ click }) {
    return this.linkData.of(click.link, click.clickedAt);
  }

  organic(installId) {
    return { installId, attributed: false, confidenceScore: 0, matchedFactors: [], deepLinkData: null };
  }
}
