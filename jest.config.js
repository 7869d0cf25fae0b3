// These packages are published as ES modules only; jest runs CommonJS, so they are transformed with our own code.
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  testSequencer: '<rootDir>/tests/longest-first.js',
  setupFilesAfterEnv: ['<rootDir>/tests/fixtures/every-test-asserts.ts'],
  transform: { '\\.[jt]s$': ['ts-jest', { tsconfig: 'tests/tsconfig.jest.json', diagnostics: false }] },
  transformIgnorePatterns: [
    '/node_modules/(?!(flatbush|flatqueue|hyparquet|hyparquet-writer|geojson-vt|pbf|@mapbox)/)',
    '/dist/',
  ],
  testTimeout: 60_000,
  // jest leaves one core to a watching person; nobody watches here.
  maxWorkers: '100%',
};
