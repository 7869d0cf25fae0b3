// The order of the test files (jest.config.js). Jest takes their times of former runs; on a clean clone it has none, and
// goes by their sizes. The suite in the browser is short and takes a fifth of the whole time, and other tests of whole
// processes are short and slow as well: such a one would begin near the end and go on alone.

const Sequencer = require('@jest/test-sequencer').default;

const FIRST = [/[\\/]host[\\/]browser\.test\.ts$/, /[\\/]host[\\/]/, /$/];

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const rankOf = ({ path }) => FIRST.findIndex((pattern) => pattern.test(path));
    return super.sort(tests).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
};
