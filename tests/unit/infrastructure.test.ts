// infra/, as far as it can be checked without the Bicep compiler and an account: grammar, names, modules, settings,
// alerts. The grammar is a package of infra/ (npm --prefix infra ci --ignore-scripts); without it that test is skipped.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { timerFunctions } from '../../data-loaders/intake/timers';
import { dataMetrics, ServiceMetrics } from '../../shared/http/operating/metrics';
import { projectDirectory } from '../../shared/project-files';
import { type BicepFile, blockAfter, membersOf, readBicep } from '../fixtures/bicep-file';
import { oneAmount } from '../fixtures/handmade';
import { temporaryFolder } from '../fixtures/temporary-folder';
import { loadedService } from '../fixtures/test-service';

const INFRA = join(projectDirectory(), 'infra');
const folder = temporaryFolder();

/** Settings of `npm start`, of keys that Azure does without, and some that the platform forbids or replaces. */
const NOT_ON_AZURE = [
  'HOST',
  'PORT',
  'WATER_DATA_DIR',
  'LOAD_SAMPLES',
  'WORKERS',
  'DEVELOPMENT_KEY',
  'MAX_IN_FLIGHT_MB',
  'COSMOS_KEY',
];
const REPLACED_ON_AZURE = ['FUNCTIONS_WORKER_RUNTIME', 'AzureWebJobsStorage'];
const ONLY_ON_AZURE = [
  'AzureWebJobsStorage__accountName',
  'APPLICATIONINSIGHTS_CONNECTION_STRING',
  'APPLICATIONINSIGHTS_AUTHENTICATION_STRING',
  'FUNCTIONS_NODE_BLOCK_ON_ENTRY_POINT_ERROR',
  'AZURE_TOKEN_CREDENTIALS',
];

const FUNCTIONS = new Set(
  'resourceGroup uniqueString take guid empty union loadJsonContent subscriptionResourceId readEnvironmentVariable utcNow'.split(
    ' ',
  ),
);

const main = readBicep(join(INFRA, 'main.bicep'));
const modules = readdirSync(join(INFRA, 'modules')).map((name) => readBicep(join(INFRA, 'modules', name)));
const parameterFiles = ['dev', 'production'].map((name) => readBicep(join(INFRA, `main.${name}.bicepparam`)));
const files = [main, ...modules, ...parameterFiles];
const byPath = new Map(files.map((file) => [file.path, file]));

const moduleOf = (path: string): BicepFile => {
  const found = byPath.get(path);
  if (found === undefined) throw new Error(`${path} does not exist`);
  return found;
};
const app = (symbol: string): string => main.modules.find((used) => used.symbol === symbol)?.body ?? '';

const testWithGrammar = existsSync(join(INFRA, 'node_modules', 'tree-sitter-bicep')) ? test : test.skip;

testWithGrammar('every module is Bicep by the grammar of tree-sitter-bicep, and a broken one is not', () => {
  const check = (...args: readonly string[]): readonly [number | null, string] => {
    const { status, stdout } = spawnSync(process.execPath, [join(INFRA, 'check-grammar.mjs'), ...args]);
    return [status, stdout.toString()];
  };
  expect(check()).toEqual([0, `${modules.length + 1} files read, 0 faults\n`]);
  const broken = join(folder, 'broken.bicep');
  writeFileSync(broken, readFileSync(main.path, 'utf8').replace(/\{$/m, ''));
  expect(check(broken)).toEqual([1, expect.stringMatching(/broken\.bicep:\d+:\d+: ERROR\n/)]);
});

test.each(files.map((file) => [file.path.slice(INFRA.length + 1), file] as const))('%s is well formed', (_, file) => {
  const brackets: string[] = [];
  for (const sign of file.code.replace(/[^()[\]{}]/g, '')) {
    if ('([{'.includes(sign)) brackets.push(sign);
    else expect(brackets.pop()).toBe({ ')': '(', ']': '[', '}': '{' }[sign]);
  }
  expect(brackets).toEqual([]);
  expect([...file.references].filter((name) => !file.symbols.has(name))).toEqual([]);
  expect([...file.functions].filter((name) => !FUNCTIONS.has(name))).toEqual([]);
  if (file.path.endsWith('.bicep')) expect(file.parameters.filter((name) => !file.references.has(name))).toEqual([]);
});

test('every module is used, is given what it needs and nothing else, and has the outputs that are asked of it', () => {
  const uses = files.flatMap((file) => file.modules.map((used) => ({ file, used })));
  for (const { file, used } of uses) {
    const { parameters, required, outputs } = moduleOf(used.path);
    expect(parameters).toEqual(expect.arrayContaining([...used.given]));
    expect(used.given).toEqual(expect.arrayContaining([...required]));
    const asked = [...file.text.matchAll(new RegExp(`\\b${used.symbol}!?\\.outputs\\.(\\w+)`, 'g'))].map(
      ([, name]) => name,
    );
    expect(outputs).toEqual(expect.arrayContaining(asked));
  }
  expect(new Set(uses.map(({ used }) => used.path))).toEqual(new Set(modules.map(({ path }) => path)));
});

test.each(parameterFiles.map((file) => [file.path.slice(INFRA.length + 1), file] as const))(
  '%s gives every parameter that has no default, and none that does not exist',
  (_, { parameters }) => {
    expect(main.parameters).toEqual(expect.arrayContaining([...parameters]));
    expect(parameters).toEqual(expect.arrayContaining([...main.required]));
  },
);

test('the apps have every setting of the sample file that counts on Azure, and no other', () => {
  const { Values: sample } = JSON.parse(readFileSync(join(projectDirectory(), 'local.settings.sample.json'), 'utf8'));
  const functionApp = moduleOf(join(INFRA, 'modules', 'function-app.bicep')).text;
  const platform = blockAfter(functionApp, functionApp.indexOf('var platformSettings'));
  const named = new Set([
    ...['queryApp', 'loaderApp'].flatMap((symbol) => membersOf(app(symbol), 'settings')),
    ...[...platform.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name),
  ]);
  const expected = Object.keys(sample).filter((name) => ![...NOT_ON_AZURE, ...REPLACED_ON_AZURE].includes(name));
  expect(named).toEqual(new Set([...expected, ...ONLY_ON_AZURE]));
});

test('queries read and loaders write, each with an app that runs nothing else', () => {
  expect(app('queryApp')).toMatch(/databaseRoleId: cosmos\.outputs\.readerRoleId[^]*FUNCTIONS_TO_RUN: 'http'/);
  expect(app('loaderApp')).toMatch(/databaseRoleId: cosmos\.outputs\.loaderRoleId[^]*FUNCTIONS_TO_RUN: 'timers'/);
  const granted = main.modules.filter(({ path }) => path.endsWith('blob-access.bicep')).map(({ body }) => body);
  const toQueries = granted.filter((body) => body.includes('queryApp'));
  expect(toQueries).toEqual([expect.stringMatching(/containerName: exportsContainer\n\s+access: 'read'/)]);
  expect(granted.filter((body) => body.includes('loaderApp'))).toHaveLength(2);
  const delegated = main.modules.filter(({ path }) => path.endsWith('blob-delegation.bicep')).map(({ body }) => body);
  expect(delegated).toEqual([expect.stringContaining('queryApp')]);
});

test('nothing has a key: local accounts are off wherever there are any', () => {
  const all = modules.map(({ text }) => text).join('\n');
  expect(
    all.match(/disableLocalAuth: true|DisableLocalAuth: true|allowSharedKeyAccess: false|allow: false/g),
  ).toHaveLength(4);
  expect(all).not.toMatch(/listKeys|AccountKey|connectionString: /);
});

test('azure.yaml and the example of a workflow name files and outputs that there are', () => {
  const [azd, workflow] = ['azure.yaml', 'docs/examples/deploy-azure.yml'].map((name) =>
    readFileSync(join(projectDirectory(), name), 'utf8'),
  );
  const [, module = ''] = /^ {2}module: (\S+)$/m.exec(azd ?? '') ?? [];
  expect(existsSync(join(INFRA, `${module}.bicepparam`))).toBe(true);
  const outputs = Array.from((azd ?? '').matchAll(/\$(\w+AppName|serviceUrl)/g), ([, name = '']) => name);
  expect(main.outputs).toEqual(expect.arrayContaining(outputs));
  expect(outputs).toHaveLength(3);
  for (const text of [azd, workflow]) expect(text).toContain('--src dist/package/water-data-query-service.zip');
});

test('the alerts ask for functions and lines that there are', () => {
  const { text } = moduleOf(join(INFRA, 'modules', 'alerts.bicep'));
  const names = [...text.matchAll(/name == "(\w+)"/g)].map(([, name]) => name);
  expect(timerFunctions.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  expect(names).not.toEqual([]);
});

// What infra/prometheus and infra/grafana read is what /metrics has, and promtool takes all of it. Without promtool
// (Debian's package prometheus) the tests that run it are skipped.

const loaded = loadedService(oneAmount);

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[] }[];
}

const dashboard = JSON.parse(readFileSync(join(INFRA, 'grafana', 'water.json'), 'utf8')) as Dashboard;
const targets = dashboard.panels.flatMap((panel) => panel.targets);
const alerts = readFileSync(join(INFRA, 'prometheus', 'alerts.yml'), 'utf8');
const read = [alerts, ...targets.flatMap(({ expr, legendFormat }) => [expr, legendFormat])].join('\n');

/** What /metrics answers once each thing that it counts has happened. */
async function allMetrics(): Promise<string> {
  const metrics = new ServiceMetrics(() => 0);
  metrics.watchProcess();
  metrics.requests.inc({ function: 'Inventory', status: 200 });
  metrics.seconds.observe({ function: 'Inventory' }, 0.1);
  metrics.bytes.inc({ function: 'Inventory' }, 10);
  metrics.refusals.inc({ problem: 'Bad input parameter' });
  metrics.mails.inc({ outcome: 'sent' });
  metrics.keyRequests.inc({ outcome: 'mail follows' });
  const counts = { published: 1, unchanged: 0, refused: 0, held: 0, rejectedRows: 0 };
  metrics.loads.ticked({ name: 'TakeInSubmissions', outcome: 'done', counts });
  return `${await metrics.text()}\n${await dataMetrics(loaded.store)}`;
}

test('each metric that the dashboard and the alerts read is one of the service, and so is each label', async () => {
  const text = await allMetrics();
  const samples = new Set(Array.from(text.matchAll(/^([a-z]\w+)[{ ]/gm), ([, name]) => name));
  const labels = new Set(Array.from(text.matchAll(/[{,](\w+)="/g), ([, label]) => label));
  const names = new Set(Array.from(read.matchAll(/\b(?:water|process|nodejs)_\w+/g), ([name]) => name));
  expect(names.size).toBeGreaterThan(15);
  expect([...names].filter((name) => !samples.has(name))).toEqual([]);
  const grouped = Array.from(read.matchAll(/\bby \(([^)]+)\)/g), ([, list = '']) => list.split(/, ?/)).flat();
  const shown = Array.from(read.matchAll(/\{\{ ?(?:\$labels\.)?(\w+) ?\}\}/g), ([, label = '']) => label);
  const matched = Array.from(
    read.matchAll(/\bwater_\w+\{([^}]*)\}/g),
    ([, list = '']) => list.match(/\w+(?==)/g) ?? [],
  );
  const used = [...grouped, ...shown, ...matched.flat()];
  expect(used).toEqual(expect.arrayContaining(['le', 'status', 'organization', 'outcome']));
  expect(used.filter((label) => !labels.has(label))).toEqual([]);
});

const testWithPromtool = spawnSync('promtool', ['--version']).status === 0 ? test : test.skip;

testWithPromtool('each alert fires for what it is there for, and none while the service is well', () => {
  const { status, stderr } = spawnSync('promtool', ['test', 'rules', join(INFRA, 'prometheus', 'alerts.test.yml')]);
  expect([status, stderr.toString()]).toEqual([0, '']);
  const example = spawnSync('promtool', ['check', 'config', join(INFRA, 'prometheus', 'prometheus.yml')]);
  expect([example.status, example.stderr.toString()]).toEqual([0, '']);
});

testWithPromtool('each query of the dashboard is one of Prometheus, and a broken one is not', () => {
  const check = (queries: readonly string[]): number | null => {
    const file = join(folder, 'queries.yml');
    const rules = queries.map((query, index) => ({
      record: `panel:${index}`,
      expr: query.replaceAll('$__rate_interval', '5m'),
    }));
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    return spawnSync('promtool', ['check', 'rules', '--lint=none', file]).status;
  };
  expect(check(targets.map(({ expr }) => expr))).toBe(0);
  expect(check([...targets.map(({ expr }) => expr), 'sum by ('])).not.toBe(0);
});
