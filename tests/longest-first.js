// The order of the test files (jest.config.js). Jest takes their times of former runs; on a clean clone it has none, and
// goes by their sizes. The suite in the browser is short and takes a fifth of the whole time, so it would begin near
// the end and go on alone.

const Sequencer = require('@jest/test-sequencer').default;

const LONGEST = /[\\/]host[\\/]browser\.test\.ts$/;

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const isLongest = ({ path }) => LONGEST.test(path);
    const sorted = super.sort(tests);
    return [...sorted.filter(isLongest), ...sorted.filter((test) => !isLongest(test))];
  }
};
