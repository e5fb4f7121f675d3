import { Refusal } from '../linkforty/errors.mjs';

/** Replaces one method. @param {(original: Function) => Function} make */
export function patch(Class, method, make) {
  Class.prototype[method] = make(Class.prototype[method]);
}

/** Calls `look` with the first argument of a method before the method runs. `look` may replace the argument. */
export function before(Class, method, look) {
  patch(Class, method, (original) => function (first, ...rest) {
    return original.call(this, look.call(this, first, ...rest) ?? first, ...rest);
  });
}

/** Changes the result of a method. */
export function after(Class, method, change) {
  patch(Class, method, (original) => function (...all) {
    return change.call(this, original.apply(this, all), ...all);
  });
}

/** throws an unexpected error, so that the answer is a 500 */
export function crash(message) {
  throw new Error(message);
}

export function refuse(status, message) {
  throw new Refusal(status, message);
}

/** the texts, names or arrays inside a JSON value */
export function* inside(value) {
  yield value;
  if (value !== null && typeof value === 'object') for (const member of Object.values(value)) yield* inside(member);
}
