import { Refusal } from './errors.mjs';

const TYPES = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/**
 * The members that a body may have: `{ name: { type, required, nullable, longest, check } }`. Other members are
 * left out, and a null counts as absent unless `nullable` is false.
 */
export class Shape {
  constructor(members) {
    this.members = members;
  }

  read(body) {
    if (!TYPES.object(body)) throw this.wrongType('the body', 'object');
    const read = {};
    for (const [name, rule] of Object.entries(this.members)) {
      const value = this.member(name, rule, body[name]);
      if (value !== undefined) read[name] = value;
    }
    return read;
  }

  member(name, rule, value) {
    if (value === undefined || (value === null && rule.nullable !== false)) {
      if (rule.required) throw this.missing(name);
      return undefined;
    }
    if (!TYPES[rule.type](value)) throw this.wrongType(name, rule.type);
    const why = rule.check?.(value);
    if (why) throw this.wrongValue(name, why);
    return rule.longest ? this.cut(value, rule.longest) : value;
  }

  cut(text, longest) {
    return text.length > longest ? text.slice(0, longest) : text;
  }

  missing(name) {
    return new Refusal(400, `${name} is required`);
  }

  wrongType(name, type) {
    return new Refusal(400, `${name} has to be ${type === 'object' ? 'an' : 'a'} ${type}`);
  }

  wrongValue(name, why) {
    return new Refusal(400, `${name} ${why}`);
  }
}
