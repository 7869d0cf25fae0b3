// Where the test files of a worker run (jest.config.js): one after the other in the same context, so that what the
// first one has loaded and compiled is there for the next (kept-modules.js).

const { TestEnvironment } = require('jest-environment-node');

let kept;

module.exports = class KeptContext extends TestEnvironment {
  constructor(...given) {
    if (kept !== undefined) return kept;
    super(...given);
    kept = this;
  }

  /** Jest calls it after each file. */
  teardown() {
    this.fakeTimersModern.useRealTimers();
    return Promise.resolve();
  }
};
