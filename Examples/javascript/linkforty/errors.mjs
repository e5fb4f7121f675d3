/**
 * An error. The cause is its `code`:
 * `not-initialized`, `already-initialized`, `invalid-configuration`, `missing-api-key`, `invalid-event`,
 * `server` (with the `status` of the answer), `network`, `timeout`, `unreadable-answer`.
 */
export class LinkFortyError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {{ status?: number, cause?: unknown }} [details]
   */
  constructor(code, message, { status, cause } = {}) {
    super(message, { cause });
    this.name = 'LinkFortyError';
    this.code = code;
    if (status !== undefined) this.status = status;
  }
}

export const notInitialized = () => new LinkFortyError('not-initialized', 'call initialize() first');
export const alreadyInitialized = () => new LinkFortyError('already-initialized', 'initialize() was called before');
export const invalidConfiguration = (why, cause) => new LinkFortyError('invalid-configuration', why, { cause });
export const invalidEvent = (why) => new LinkFortyError('invalid-event', why);
