import { STATUS_CODES } from 'node:http';

/** The refusal of a request, with the status and the message of the answer. */
export class Refusal extends Error {
  constructor(status, message, { headers = {}, members = {} } = {}) {
    super(message);
    Object.assign(this, { status, headers, members });
  }
}

/** Makes an answer from the error of a handler. All error answers have the same form. */
export class ErrorAnswers {
  answer(error, exchange) {
    return error instanceof Refusal ? this.refused(error, exchange) : this.failed(error);
  }

  refused({ status, message, headers, members }) {
    return { status, headers, body: this.body(status, message, members) };
  }

  failed() {
    return { status: 500, body: this.body(500, 'Something went wrong on the server') };
  }

  body(status, message, members = {}) {
    return { error: STATUS_CODES[status], message, statusCode: status, ...members };
  }
}
