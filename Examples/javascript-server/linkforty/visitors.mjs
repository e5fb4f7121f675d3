/** Reads the facts about a visitor's device from a request. */
export class Visitors {
  device({ request, query, address }) {
    return {
      address,
      userAgent: request.headers['user-agent'] ?? '',
      timezone: this.text(query, 'fp_tz'),
      language: this.text(query, 'fp_lang') ?? this.acceptedLanguage(request.headers['accept-language']),
      screenWidth: this.number(query, 'fp_sw'),
      screenHeight: this.number(query, 'fp_sh'),
    };
  }

  text(query, name) {
    return query.get(name) || undefined;
  }

  number(query, name) {
    const text = this.text(query, name);
    return text !== undefined && Number.isFinite(Number(text)) ? Number(text) : undefined;
  }

  acceptedLanguage(field = '') {
    const first = field.split(',')[0].split(';')[0].trim();
    return first && first !== '*' ? first : undefined;
  }
}
