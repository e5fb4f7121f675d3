const PLATFORMS = [
  ['iphone', /iPhone|iPod/i], ['ipad', /iPad/i], ['android', /Android/i], ['windows', /Windows/i],
  ['mac', /Macintosh|macOS/i], ['ios', /\biOS\b/i], ['linux', /Linux/i],
];
const BROWSERS = [
  ['edge', /\bEdg(e|A|iOS)?\//], ['opera', /\b(OPR|Opera)\b/], ['firefox', /\b(Firefox|FxiOS)\//],
  ['chrome', /\b(Chrome|CriOS)\//], ['safari', /\bSafari\//],
];
const IN_APP = /\b(FBAN|FBAV|FB_IAB|Instagram|Line\/|MicroMessenger|Twitter|LinkedInApp|Snapchat|Pinterest)\b/;

/** Reads user agents, and decides whether two of them are similar. */
export class Agents {
  areAlike(one, other) {
    if (!one.userAgent || !other.userAgent) return false;
    return one.userAgent === other.userAgent || (this.sharePlatform(one, other) && this.shareBrowser(one, other));
  }

  sharePlatform(one, other) {
    const [a, b] = [this.platform(one), this.platform(other)];
    if (!a || !b) return false;
    return a === b || [a, b].sort().join() === 'ios,iphone' || [a, b].sort().join() === 'ios,ipad';
  }

  /** The user agent of an app names no browser, so it is similar to every browser of its platform. */
  shareBrowser(one, other) {
    const [a, b] = [this.browser(one), this.browser(other)];
    return a === b || !a || !b;
  }

  /** the platform in the user agent, or else the platform that an app reports */
  platform({ userAgent, platform = '' }) {
    return this.first(PLATFORMS, userAgent) ?? this.first(PLATFORMS, platform);
  }

  browser({ userAgent }) {
    return this.first(BROWSERS, userAgent);
  }

  isInApp(userAgent) {
    return IN_APP.test(userAgent);
  }

  first(table, text) {
    return table.find(([, pattern]) => pattern.test(text))?.[0];
  }
}
