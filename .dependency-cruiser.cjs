// Layers (design.md, section 2): dependencies point one way, and only named places may touch a store or the platform.
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
          '^shared/pages/files/',
          '^tools/bench/(floor-server|module-clock)\\.ts$',
        ],
      },
      to: {},
    },
    layer('values', ['values']),
    layer('records', ['values', 'records']),
    layer('parameters', ['values', 'parameters']),
    layer('store', ['values', 'records', 'parameters', 'store']),
    layer('search', ['values', 'records', 'parameters', 'store', 'search']),
    layer('access', ['values', 'records', 'parameters', 'store', 'access']),
    layer('operations', ['values', 'records', 'parameters', 'search', 'operations']),
    layer('envelope', ['values', 'records', 'parameters', 'store', 'search', 'operations', 'envelope']),
    {
      name: 'nothing-shared-needs-pages',
      severity: 'error',
      from: { path: '^shared/', pathNot: '^shared/pages/' },
      to: { path: '^shared/pages/' },
    },
    {
      name: 'shared-stands-alone',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(functions|data-loaders|tools|tests)/' },
    },
    {
      name: 'loaders-know-no-functions',
      severity: 'error',
      from: { path: '^data-loaders/' },
      to: { path: '^(functions|tools|tests)/' },
    },
    { name: 'product-knows-no-tests', severity: 'error', from: { pathNot: '^tests/' }, to: { path: '^tests/' } },
    {
      name: 'functions-are-wiring',
      severity: 'error',
      from: { path: '^functions/' },
      to: { path: '^(data-loaders|tools)/' },
    },
    only('cosmos-in-its-adapter', '@azure/cosmos', '^shared/store/cosmos/'),
    only('wellknown-in-boundaries', 'wellknown', '^shared/values/boundary'),
    only('blob-storage-in-its-inbox', '@azure/storage-blob', '^data-loaders/inbox/'),
    only('identity-where-a-client-is-made', '@azure/identity', '^(data-loaders/inbox|shared/store/cosmos)/'),
    only('sqlite-in-its-adapter', '^(node:)?sqlite$', '^shared/store/sqlite/|^data-loaders/stage/'),
    only(
      'platform-at-the-edge',
      '@azure/functions',
      '^(functions|shared/(http|pages)|data-loaders/schedule|tools/(local-host|bench/cosmos-cost))/',
    ),
    {
      name: 'no-undeclared-packages',
      severity: 'error',
      // Packaging runs where the project is built, never where it is deployed.
      from: { path: '^(functions|shared|data-loaders|tools)/', pathNot: '^tools/package/' },
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

/** A layer of shared/ may use only the layers named. */
function layer(name, allowed) {
  return {
    name: `layer-${name}`,
    severity: 'error',
    from: { path: `^shared/${name}/` },
    to: { path: '^shared/', pathNot: `^shared/(${allowed.join('|')})/` },
  };
}

/** Only `from` may use a package; tests may look everywhere. */
function only(name, to, from) {
  return {
    name,
    severity: 'error',
    from: { path: '^(functions|shared|data-loaders|tools)/', pathNot: from },
    to: { path: to },
  };
}
