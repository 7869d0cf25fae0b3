const process = require('node:process');

/** `npm run soak` sets SOAK_SEED. Only it runs the files named *.soak.ts, which take minutes. */
const testMatch = process.env.SOAK_SEED === undefined ? ['**/*.test.ts'] : ['**/*.test.ts', '**/*.soak.ts'];

/** These packages are published as ES modules only. Jest runs CommonJS, so they are transformed like our own code. */
const esModules = [
  '@mapbox',
  'flatbush',
  'flatqueue',
  'geojson-vt',
  'hyparquet',
  'hyparquet-writer',
  'pbf',
  'robust-predicates',
];

module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/tests'],
  testMatch,
  setupFilesAfterEnv: ['<rootDir>/tests/fixtures/set-up-tests.ts'],
  transform: {
    '\\.[jt]s$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esModules.join('|')})/)`, '/dist/'],
  // TypeScript requires the extension of the output in an import() of CommonJS; jest looks for the source.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testTimeout: 60_000,
  // By default Jest uses one core less, but many tests only wait for other processes.
  maxWorkers: '100%',
};
