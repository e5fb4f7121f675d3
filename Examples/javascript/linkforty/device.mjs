/**
 * The facts about the device. Screen sizes are in points. `scale` is the number of pixels for each point.
 * @typedef {object} Device
 * @property {string} appName
 * @property {string} appVersion
 * @property {'iOS' | 'Android'} platform
 * @property {string} platformVersion
 * @property {string} timezone  an IANA name
 * @property {string} language
 * @property {number} screenWidth
 * @property {number} screenHeight
 * @property {number} scale
 */

/** Describes the device for servers, in the two forms that they expect. */
export class Fingerprint {
  /** @param {() => Device} readDevice  called each time, since the user may turn or change the device */
  constructor(readDevice, choices) {
    this.readDevice = readDevice;
    this.choices = choices;
  }

  /** The body of the install report. Unknown facts are left out. */
  report({ window, deviceId, appToken }) {
    const device = this.readDevice();
    const report = {
      userAgent: this.userAgent(device),
      timezone: device.timezone,
      language: device.language,
      screenWidth: this.pixels(device.screenWidth, device),
      screenHeight: this.pixels(device.screenHeight, device),
      platform: this.platform(device),
      platformVersion: device.platformVersion,
      appVersion: device.appVersion,
      deviceId: deviceId || undefined,
      attributionWindowHours: this.windowMember(window),
      appToken: appToken || undefined,
    };
    return this.known(report);
  }

  /** The query of a resolve request. */
  query() {
    const device = this.readDevice();
    return this.known({
      fp_tz: device.timezone,
      fp_lang: device.language,
      fp_sw: this.pixels(device.screenWidth, device),
      fp_sh: this.pixels(device.screenHeight, device),
      fp_platform: this.platform(device),
      fp_pv: device.platformVersion,
    });
  }

  userAgent({ appName, appVersion, platform, platformVersion }) {
    return `${appName}/${appVersion} ${platform}/${platformVersion}`;
  }

  pixels(points, { scale = 1 }) {
    return points === undefined ? undefined : Math.round(points * scale);
  }

  platform({ platform }) {
    return this.choices.platformSpelling === 'lower' ? platform.toLowerCase() : platform;
  }

  windowMember({ hours, isDefault }) {
    return isDefault && !this.choices.defaultWindowSent ? undefined : hours;
  }

  known(members) {
    return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ''));
  }
}
