import { Agents } from './agents.mjs';
import { Networks } from './addresses.mjs';

const HOUR = 3_600_000;
const LONGEST_WINDOW = 2160;

/** Finds the click that led to an install: the click with the most similar device or, if two are equal, the newer click. */
export class Matcher {
  networks = new Networks();
  agents = new Agents();

  constructor({ clicks, clock }) {
    Object.assign(this, { clicks, clock });
  }

  /** @returns {{ click, score: number, factors: string[] } | undefined} */
  match(device) {
    const best = this.best(device);
    return best && this.isGoodEnough(best) ? best : undefined;
  }

  best(device) {
    return this.candidates(device)
      .map((click) => this.compare(click, device))
      .sort((one, other) => other.score - one.score || other.click.clickedAt - one.click.clickedAt)[0];
  }

  candidates(device) {
    return this.clicks.all().filter((click) => this.isInWindow(click, device));
  }

  isGoodEnough({ score }) {
    return score >= 70;
  }

  /** Whether a click is inside the window of its link. The window of the app can only make this window shorter. */
  isInWindow(click, { attributionWindowHours }) {
    return this.age(click) <= Math.min(this.windowOf(click.link), this.windowOfApp(attributionWindowHours)) * HOUR;
  }

  age(click) {
    return this.clock.now() - click.clickedAt;
  }

  windowOf(link) {
    return link.attributionWindowHours ?? 168;
  }

  windowOfApp(hours) {
    return hours >= 1 && hours <= LONGEST_WINDOW ? hours : LONGEST_WINDOW;
  }

  compare(click, device) {
    const points = this.points(click.device, device).filter(([, count]) => count > 0);
    return { click, score: points.reduce((sum, [, count]) => sum + count, 0), factors: points.map(([factor]) => factor) };
  }

  /** the points of each factor for these two devices */
  points(one, other) {
    return [
      ['ip', this.shareNetwork(one, other) ? 40 : 0],
      ['user_agent', this.agents.areAlike(one, other) ? 30 : 0],
      ['timezone', this.shareZone(one, other) ? 10 : 0],
      ['language', this.shareLanguage(one, other) ? 10 : 0],
      ['screen', this.shareScreen(one, other) ? 10 : 0],
    ];
  }

  shareNetwork(one, other) {
    return this.networks.areOne(one.address, other.address);
  }

  shareZone(one, other) {
    return Boolean(one.timezone) && one.timezone === other.timezone;
  }

  shareLanguage(one, other) {
    return Boolean(one.language) && Boolean(other.language) && this.primary(one.language) === this.primary(other.language);
  }

  primary(language) {
    return language.split(/[-_]/)[0].toLowerCase();
  }

  shareScreen(one, other) {
    return this.hasScreen(one) && one.screenWidth === other.screenWidth && one.screenHeight === other.screenHeight;
  }

  hasScreen({ screenWidth, screenHeight }) {
    return screenWidth > 0 && screenHeight > 0;
  }
}
