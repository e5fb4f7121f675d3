// Revenue.
import { EventMaker } from '../linkforty/events.mjs';
import { EventQueue } from '../linkforty/event-queue.mjs';
import { LinkForty } from '../linkforty/linkforty.mjs';
import { patch } from '../patch.mjs';

/** Changes the parsed amount. @param {(amount: number) => number} change */
function inAmount(change) {
  patch(EventMaker, 'readAmount', (original) => function (amount) {
    return change(original.call(this, amount));
  });
}

/** Changes the parsed currency. @param {(currency: string) => string} change */
function inCurrency(change) {
  patch(EventMaker, 'readCurrency', (original) => function (currency) {
    return change(original.call(this, currency));
  });
}

export const DEFECTS = {
  'revenue.whole-amount-as-text': () =>
    patch(EventMaker, 'amountMembers', (original) => function (amount) {
      return original.call(this, Number.isInteger(amount) ? String(amount) : amount);
    }),

  'revenue.currency-in-capitals': () => inCurrency((currency) => currency.toUpperCase()),

  'revenue.currency-cut': () => inCurrency((currency) => currency.slice(0, 3)),

  'revenue.two-decimals': () => inAmount((amount) => Math.round(amount * 100) / 100),

  'revenue.big-amounts-wrap': () => inAmount((amount) => (Math.round(amount * 100) | 0) / 100),

  // The list calls it revenue.no-number-is-zero; another defect, which sends 12 for "12 EUR", has this name.
  'revenue.what-is-no-number-is-zero': () =>
    patch(EventMaker, 'readAmount', (original) => function (amount) {
      try {
        return original.call(this, amount);
      } catch {
        return 0;
      }
    }),

  'revenue.queued-without-currency': () => {
    const revenue = new WeakSet();
    patch(EventMaker, 'makeRevenue', (original) => function (...args) {
      const event = original.apply(this, args);
      revenue.add(event);
      return event;
    });
    patch(EventQueue, 'add', (original) => function (event) {
      if (!revenue.has(event)) return original.call(this, event);
      const { currency, ...data } = event.data;
      return original.call(this, { ...event, data });
    });
  },

  'revenue.nothing-for-nothing': () =>
    patch(LinkForty, 'trackRevenue', (original) => async function (amount, currency, properties) {
      this.ready();
      if (Number(amount) !== 0) return original.call(this, amount, currency, properties);
    }),
};
