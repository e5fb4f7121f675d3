/** The data of a link in answers, with the names of the model. */
export class LinkData {
  of(link, clickedAt) {
    return this.without({
      shortCode: link.code,
      linkId: link.id,
      iosUrl: link.iosUrl,
      androidUrl: link.androidUrl,
      webUrl: link.webUrl,
      deepLinkPath: link.deepLinkPath,
      appScheme: link.appScheme,
      utmParameters: this.campaign(link),
      customParameters: this.custom(link),
      clickedAt: new Date(clickedAt).toISOString(),
    });
  }

  campaign({ utmParameters = {} }) {
    return Object.keys(utmParameters).length > 0 ? utmParameters : undefined;
  }

  custom({ customParameters = {} }) {
    const texts = Object.entries(customParameters).map(([name, value]) => [name, this.text(value)]);
    return texts.length > 0 ? Object.fromEntries(texts) : undefined;
  }

  text(value) {
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  /** the data without members that have no value */
  without(data) {
    return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
  }
}
