import { Refusal } from './errors.mjs';

const MEBIBYTE = 1024 * 1024;

/** Reads the JSON body of a request. */
export class BodyReader {
  async json(request) {
    this.checkType(request.headers['content-type']);
    const bytes = await this.bytes(request);
    if (bytes.length === 0) throw new Refusal(400, 'The body is empty');
    return this.parse(bytes);
  }

  checkType(type = '') {
    const name = type.split(';')[0].trim().toLowerCase();
    if (!/^application\/([\w.-]+\+)?json$/.test(name)) throw new Refusal(415, 'The body has to be application/json');
  }

  limit() {
    return MEBIBYTE;
  }

  /** Reads a body. Bytes above the limit are read and dropped, so that the client can read the answer. */
  async bytes(request) {
    const limit = this.limit();
    const chunks = [];
    let length = 0;
    for await (const chunk of request) {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
    }
    if (length > limit) throw this.tooLarge(limit);
    return Buffer.concat(chunks);
  }

  parse(bytes) {
    try {
      return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch (error) {
      throw this.broken(error);
    }
  }

  tooLarge(limit) {
    return new Refusal(413, `The body has more than ${limit} bytes`);
  }

  broken(error) {
    return new Refusal(400, `The body is no JSON: ${error.message}`);
  }
}
