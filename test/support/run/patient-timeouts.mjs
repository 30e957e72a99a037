import Mocha from 'mocha';

/**
 * Suites run beside each other, perhaps on a slow machine, so every test and hook has longer there than alone. A time-out finds hangs, not
 * slow machines.
 */
const FACTOR = 5;

const { timeout } = Mocha.Runnable.prototype;
Mocha.Runnable.prototype.timeout = function (...ms) {
  return timeout.apply(
    this,
    ms.map((one) => one * FACTOR),
  );
};
