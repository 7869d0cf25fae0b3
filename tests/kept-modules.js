// What the test files of a worker share (jest.config.js): the modules of the service and of packages, which keep no
// state that a test could leave to the next. To load them anew for each file takes a sixth of the time of all tests.
// Tests and fixtures are loaded anew, since they register what happens before and after each test of a file.

const { sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');

const modules = new Map();

const isOfTests = (path) => path.startsWith(module.path + sep) && !path.includes(`${sep}node_modules${sep}`);

module.exports = class KeptModules extends Runtime {
  constructor(...given) {
    super(...given);
    for (const path of modules.keys()) if (isOfTests(path)) modules.delete(path);
    this._moduleRegistry = modules;
  }

  /** Jest calls it after each file; a module that stays may yet load another one. */
  teardown() {
    this.restoreAllMocks();
  }
};
