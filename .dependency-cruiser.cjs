// The layers of docs/architecture.md. Dependencies point one way; only listed folders may use a store or the platform.
// tests/unit/folders.test.ts also checks that no two folders import each other.
/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          '\\.d\\.ts$',
          '\\.json$',
          '^tests/.*\\.test\\.ts$',
          // jest.config.js refers to it.
          '^tests/fixtures/set-up-tests\\.ts$',
          '^shared/http/pages/files/',
          '^bench/measure/floor-server\\.ts$',
          // package.json refers to them.
          '^tools/(build/main|launch)\\.mjs$',
          // The build refers to it.
          '^explorer/(main\\.tsx|brief/brief\\.tsx|styles/)',
        ],
      },
      to: {},
    },
    // shared/: each layer with the folders that it may import.
    layer('shared/values', []),
    layer('shared/documents', ['shared/values', 'shared/project-files']),
    layer('shared/records', ['shared/values']),
    layer('shared/query', ['shared/values', 'shared/records']),
    layer('shared/store', ['shared/values', 'shared/records']),
    layer('shared/search', ['shared/values', 'shared/records', 'shared/query', 'shared/store']),
    layer('shared/access', ['shared/values', 'shared/records', 'shared/query', 'shared/store']),
    layer('shared/aggregate', ['shared/values', 'shared/records', 'shared/query', 'shared/store', 'shared/search']),
    layer('shared/tiles', [
      'shared/values',
      'shared/records',
      'shared/query',
      'shared/store',
      'shared/search',
      'shared/aggregate',
    ]),
    layer('shared/render', [
      'shared/values',
      'shared/records',
      'shared/query',
      'shared/store',
      'shared/search',
      'shared/aggregate',
    ]),
    layer(
      'shared/files',
      ['values', 'records', 'query', 'store', 'search', 'render', 'open-store', 'settings'].map(
        (room) => `shared/${room}`,
      ),
    ),
    apart('shared/store/cosmos', 'shared/store/sqlite'),
    apart('shared/store/sqlite', 'shared/store/cosmos'),
    {
      name: 'shared-stands-alone',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(functions|data-loaders|host|tools|tests|bench)/' },
    },
    {
      name: 'nothing-shared-needs-pages',
      severity: 'error',
      from: { path: '^shared/', pathNot: '^shared/http/(pages|harvesters|ogc|assistants)/' },
      to: { path: '^shared/http/pages/' },
    },
    // shared/http/: the pipeline runs routes but imports none; routes leave sending and caching to it.
    {
      name: 'pipeline-knows-no-routes',
      severity: 'error',
      from: { path: '^shared/http/(pipeline|operating)/' },
      to: { path: '^shared/http/(v1|ogc|pages|harvesters|[^/]+\\.ts)' },
    },
    {
      name: 'routes-neither-send-nor-cache',
      severity: 'error',
      from: { path: '^shared/http/(v1|ogc)/' },
      to: { path: '^shared/http/pipeline/(send|answer-cache)' },
    },
    {
      name: 'operations-know-no-ogc-api',
      severity: 'error',
      from: { path: '^shared/http/v1/' },
      to: { path: '^shared/http/ogc/' },
    },
    // explorer/: the program of a page. It imports nothing from the service, and state/ imports none of its other folders.
    explorerRoom('state', []),
    explorerRoom('requests', ['state']),
    explorerRoom('session', ['state', 'requests']),
    explorerRoom('map', ['state', 'requests', 'session']),
    explorerRoom('views', ['state', 'requests', 'session', 'map']),
    {
      name: 'explorer-asks-public-operations-only',
      severity: 'error',
      from: { path: '^explorer/' },
      to: { path: '^(functions|shared|data-loaders|host|tools|tests|bench)/', pathNot: '\\.css$' },
    },
    {
      name: 'service-knows-no-explorer',
      severity: 'error',
      from: { path: '^(functions|shared|data-loaders|host|tools|bench)/' },
      to: { path: '^explorer/' },
    },
    {
      name: 'pages-without-a-page',
      severity: 'error',
      from: { path: '^explorer/(state|requests|session)/' },
      to: { path: 'node_modules/(preact|uplot|maplibre-gl|@preact/signals)/' },
    },
    // data-loaders/: in the order in which a submission becomes a release.
    layer('data-loaders/format', ['shared']),
    layer('data-loaders/stage', ['shared', 'data-loaders/format']),
    layer('data-loaders/unpack', ['shared', 'data-loaders/format']),
    layer('data-loaders/read', ['shared', 'data-loaders/format', 'data-loaders/stage']),
    layer('data-loaders/build', ['shared', ...['format', 'stage', 'read'].map((room) => `data-loaders/${room}`)]),
    layer('data-loaders/publish', [
      'shared',
      ...['format', 'stage', 'read', 'build'].map((room) => `data-loaders/${room}`),
    ]),
    layer('data-loaders/report', ['shared/values', 'shared/records', 'shared/documents', 'data-loaders/format']),
    layer('data-loaders/intake', [
      'shared',
      'data-loaders/load-submission',
      'data-loaders/publish',
      'data-loaders/report',
      // The names of the files that are watched for changes while a load reads them (ADR 0052).
      'data-loaders/format/submission-files',
      // The submissions in the inbox (D75).
      'data-loaders/format/entry-names',
      // The files of a submission, which a load reads in place, without a copy (ADR 0052).
      'data-loaders/format/submission-metadata',
      'data-loaders/format/submitted-files',
      'data-loaders/unpack',
      // Reports, the folder of a load that continues at the next timer tick, and the signal to stop (ADR 0021).
      'data-loaders/format/report',
      ...['work-folder', 'progress'].map((file) => `data-loaders/stage/${file}`),
    ]),
    {
      name: 'loaders-know-no-functions',
      severity: 'error',
      from: { path: '^data-loaders/' },
      to: { path: '^(functions|host|tools|tests|bench)/' },
    },
    { name: 'product-knows-no-tests', severity: 'error', from: { pathNot: '^tests/' }, to: { path: '^tests/' } },
    {
      name: 'functions-are-wiring',
      severity: 'error',
      from: { path: '^functions/' },
      // A timer runs its task in a separate process, so that the process for requests loads no code of the loaders.
      to: {
        path: '^(data-loaders|host|tools|bench)/',
        pathNot: '^data-loaders/intake/(run-in-process|examine-in-process|submission-desk|tasks)\\.ts$',
      },
    },
    {
      name: 'product-knows-no-bench',
      severity: 'error',
      from: { path: '^(host|tools)/' },
      to: { path: '^bench/' },
    },
    only('archives-where-they-are-unpacked', 'yauzl|saxes|numfmt', '^data-loaders/unpack/'),
    only('vector-tiles-in-their-layer', 'pbf|geojson-vt', '^shared/tiles/'),
    only('parquet-in-its-writers', 'hyparquet-writer', '^shared/files/'),
    only('cosmos-in-its-adapter', '@azure/cosmos', '^(shared/store/cosmos|tools/azure-check)/'),
    only('wellknown-in-wkt', 'wellknown', '^shared/values/wkt'),
    only('blob-storage-where-blobs-are', '@azure/storage-blob', '^(data-loaders/intake/blob|shared/store/blob)-'),
    only(
      'identity-where-a-client-is-made',
      '@azure/identity',
      '^(shared/store/(cosmos/|blob-container)|tools/azure-check/)',
    ),
    only('sqlite-in-its-adapter', '^(node:)?sqlite$', '^shared/store/sqlite/'),
    only('platform-at-the-edge', '@azure/functions', '^functions/(app|platform-handler)\\.ts$'),
    {
      name: 'no-undeclared-packages',
      severity: 'error',
      // Building, packaging and checking an account run on development machines, never in a deployment.
      from: {
        path: '^(functions|shared|data-loaders|host|tools)/',
        pathNot: '^tools/(package|build|store-contract|azure-check)/',
      },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { conditionNames: ['require', 'node', 'default', 'types'] },
  },
};

/** A folder may import only itself and the listed folders of the project. */
function layer(folder, allowed) {
  return {
    name: `layer-${folder}`,
    severity: 'error',
    from: { path: `^${folder}/` },
    to: {
      path: '^(shared|data-loaders|functions|host|tools)/',
      pathNot: [folder, ...allowed].map((path) => `^${path}(/|\\.ts$)`),
    },
  };
}

function explorerRoom(room, allowed) {
  return {
    name: `explorer-${room}`,
    severity: 'error',
    from: { path: `^explorer/${room}/` },
    to: { path: '^explorer/', pathNot: [room, ...allowed].map((one) => `^explorer/${one}/`) },
  };
}

function apart(from, to) {
  return { name: `${from}-without-${to}`, severity: 'error', from: { path: `^${from}/` }, to: { path: `^${to}/` } };
}

/** Only `from` and tests may use a package. */
function only(name, to, from) {
  return {
    name,
    severity: 'error',
    from: { path: '^(functions|shared|data-loaders|host|tools)/', pathNot: from },
    to: { path: to },
  };
}
