const { availableParallelism } = require('node:os');

// These packages are published as ES modules only; jest runs CommonJS, so they are transformed with our own code.
module.exports = {
  testEnvironment: '<rootDir>/tests/kept-context.js',
  runtime: '<rootDir>/tests/kept-modules.js',
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  testSequencer: '<rootDir>/tests/longest-first.js',
  setupFilesAfterEnv: ['<rootDir>/tests/fixtures/every-test-asserts.ts'],
  // Code in a context of its own looks each global name up anew, in C++. None of these is ever replaced by a
  // test; Buffer is not here, since packages declare a constant of that name.
  sandboxInjectedGlobals: [
    ...['Array', 'Error', 'Infinity', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Set', 'String'],
    ...['Float64Array', 'Uint8Array', 'Uint32Array'],
  ],
  transform: { '\\.[jt]s$': '<rootDir>/tests/transform.js' },
  moduleNameMapper: {
    // TypeScript wants the extension of the output in an import() of CommonJS; jest looks for the source.
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^fast-check$': '<rootDir>/tests/seeded-fast-check.js',
  },
  transformIgnorePatterns: [
    '/node_modules/(?!(flatbush|flatqueue|robust-predicates|hyparquet|hyparquet-writer|geojson-vt|pbf|@mapbox)/)',
    '/dist/',
  ],
  testTimeout: 60_000,
  // A worker keeps garbage until it has to collect it. One with more is replaced: to give back two gigabytes at its end
  // takes longer than the half second after which jest says that a test leaks.
  workerIdleMemoryLimit: '500MB',
  // Tests of whole processes wait as long as they compute, so three workers keep two cores busy. jest takes a share of over
  // 100 percent for a number of workers.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
};
