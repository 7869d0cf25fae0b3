// The templates in infra/, as far as they can be checked without the Bicep compiler and an Azure account: grammar,
// names, parameters, settings, rights, alerts.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { timerFunctions } from '../../functions/timer-functions';
import { findProjectDirectory } from '../../shared/project-files';
import containers from '../../shared/store/cosmos/containers.json';
import { type BicepFile, listMembers, readBicep, readBlockAfter } from '../fixtures/bicep-file';
import { testWith } from '../fixtures/optional-tool';
import { BICEP_GRAMMAR } from '../fixtures/outside-tools';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const INFRA = join(findProjectDirectory(), 'infra');
const folder = createTemporaryFolder();

/** Settings of `npm start`, settings for keys that Azure does not need, and some that the platform forbids. */
const NOT_ON_AZURE = ['HOST', 'PORT', 'WATER_DATA_DIR', 'LOAD_SAMPLES', 'WORKERS', 'DEVELOPMENT_KEY', 'COSMOS_KEY'];
const REPLACED_ON_AZURE = ['FUNCTIONS_WORKER_RUNTIME', 'AzureWebJobsStorage'];
const ONLY_ON_AZURE = [
  'AzureWebJobsStorage__accountName',
  'APPLICATIONINSIGHTS_CONNECTION_STRING',
  'APPLICATIONINSIGHTS_AUTHENTICATION_STRING',
  'FUNCTIONS_NODE_BLOCK_ON_ENTRY_POINT_ERROR',
  'FUNCTIONS_REQUEST_BODY_SIZE_LIMIT',
  'AZURE_TOKEN_CREDENTIALS',
  'AZURE_CLIENT_ID',
  'AzureWebJobsStorage__credential',
  'AzureWebJobsStorage__clientId',
];

const BICEP_FUNCTIONS = new Set([
  'resourceGroup',
  'uniqueString',
  'take',
  'guid',
  'empty',
  'union',
  'loadJsonContent',
  'subscriptionResourceId',
  'readEnvironmentVariable',
  'environment',
  'max',
]);

const CLOSING_BRACKETS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

const main = readBicep(join(INFRA, 'main.bicep'));
const modules = readdirSync(join(INFRA, 'modules')).map((name) => readBicep(join(INFRA, 'modules', name)));
const parameterFiles = ['dev', 'production'].map((name) => readBicep(join(INFRA, `main.${name}.bicepparam`)));
const types = readBicep(join(INFRA, 'types.bicep'));
const files = [main, types, ...modules, ...parameterFiles];
const filesByPath = new Map(files.map((file) => [file.path, file]));

function readProjectFile(name: string): string {
  return readFileSync(join(findProjectDirectory(), name), 'utf8');
}

function getFile(path: string): BicepFile {
  const file = filesByPath.get(path);
  if (file === undefined) throw new Error(`${path} does not exist`);
  return file;
}

/** The block in main.bicep that uses the module with this symbol. */
function getModuleUse(symbol: string): string {
  return main.modules.find((use) => use.symbol === symbol)?.body ?? '';
}

function withTitles(listed: readonly BicepFile[]): (readonly [title: string, file: BicepFile])[] {
  return listed.map((file) => [file.path.slice(INFRA.length + 1), file] as const);
}

testWith(BICEP_GRAMMAR, 'the tree-sitter grammar accepts every file, and rejects a broken one', () => {
  const checkGrammar = (...paths: readonly string[]): { status: number | null; output: string } => {
    const { status, stdout } = spawnSync(process.execPath, [join(INFRA, 'check-grammar.mjs'), ...paths]);
    return { status, output: stdout.toString() };
  };
  expect(checkGrammar()).toEqual({ status: 0, output: `${modules.length + 2} files read, 0 faults\n` });
  const brokenFile = join(folder, 'broken.bicep');
  writeFileSync(brokenFile, main.text.replace(/\{$/m, ''));
  expect(checkGrammar(brokenFile)).toEqual({
    status: 1,
    output: expect.stringMatching(/broken\.bicep:\d+:\d+: ERROR\n/),
  });
});

describe.each(withTitles(files))('%s', (_, file) => {
  test('closes every bracket', () => {
    const expectedClosings: string[] = [];
    for (const bracket of file.code.replace(/[^()[\]{}]/g, '')) {
      const closing = CLOSING_BRACKETS[bracket];
      if (closing === undefined) expect(bracket).toBe(expectedClosings.pop());
      else expectedClosings.push(closing);
    }
    expect(expectedClosings).toEqual([]);
  });

  test('uses only symbols that it declares', () => {
    expect([...file.references].filter((name) => !file.symbols.has(name))).toEqual([]);
  });

  test('calls only functions of Bicep', () => {
    expect([...file.functions].filter((name) => !BICEP_FUNCTIONS.has(name))).toEqual([]);
  });
});

test.each(withTitles([main, ...modules]))('%s uses each of its parameters', (_, file) => {
  expect(file.parameters.filter((name) => !file.references.has(name))).toEqual([]);
});

const moduleUses = files.flatMap((file) =>
  file.modules.map((use) => ({ title: `${use.symbol} in ${file.path.slice(INFRA.length + 1)}`, file, use })),
);

describe.each(moduleUses)('the module $title', ({ file, use }) => {
  const usedModule = getFile(use.path);

  test('gets all of its required parameters, and no parameters that it does not declare', () => {
    expect(usedModule.parameters).toEqual(expect.arrayContaining([...use.passedParameters]));
    expect(use.passedParameters).toEqual(expect.arrayContaining([...usedModule.required]));
  });

  test('has the outputs that others use', () => {
    const outputsRead = file.text.matchAll(new RegExp(`\\b${use.symbol}!?\\.outputs\\.(\\w+)`, 'g'));
    expect(usedModule.outputs).toEqual(expect.arrayContaining(Array.from(outputsRead, ([, name]) => name)));
  });
});

test('every module is used', () => {
  expect(new Set(moduleUses.map(({ use }) => use.path))).toEqual(new Set(modules.map(({ path }) => path)));
});

test.each(withTitles(parameterFiles))(
  '%s sets every parameter that has no default, and none that does not exist',
  (_, { parameters }) => {
    expect(main.parameters).toEqual(expect.arrayContaining([...parameters]));
    expect(parameters).toEqual(expect.arrayContaining([...main.required]));
  },
);

test('the apps have every setting of the sample file that matters on Azure, and no others', () => {
  const { Values: sample } = JSON.parse(readProjectFile('local.settings.sample.json'));
  const functionApp = getFile(join(INFRA, 'modules', 'function-app.bicep')).text;
  const platformSettings = readBlockAfter(functionApp, functionApp.indexOf('var platformSettings'));
  const namesInTemplates = new Set([
    ...listMembers(getModuleUse('queryApp'), 'settings'),
    ...listMembers(getModuleUse('loaderApp'), 'settings'),
    ...[...platformSettings.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name),
  ]);
  const namesInSample = Object.keys(sample).filter((name) => ![...NOT_ON_AZURE, ...REPLACED_ON_AZURE].includes(name));
  expect(namesInTemplates).toEqual(new Set([...namesInSample, ...ONLY_ON_AZURE]));
});

describe('rights', () => {
  const getUsesOf = (file: string): readonly string[] =>
    main.modules.filter(({ path }) => path.endsWith(file)).map(({ body }) => body);

  /** The rights of a principal in main.bicep: role and scope, as written there. */
  const getGrants = (principal: string): readonly (readonly [role: string, scope: string])[] =>
    [...main.text.matchAll(/principal: '([^']+)'\n\s+roleName: (.+)\n\s+scope: '(.+)'/g)]
      .filter(([, name]) => name === principal)
      .map(([, , role = '', scope = '']) => [role, scope] as const);

  test('the app for queries runs only HTTP functions, and the app for loaders only timers', () => {
    expect(getModuleUse('queryApp')).toContain("FUNCTIONS_TO_RUN: 'http'");
    expect(getModuleUse('loaderApp')).toContain("FUNCTIONS_TO_RUN: 'timers'");
  });

  test('the app for queries reads single containers, and may write only to the container with keys', () => {
    const grants = getGrants('query app');
    expect(grants.map(([, scope]) => scope)).toEqual(containers.map(({ id }) => `/dbs/\${databaseName}/colls/${id}`));
    expect(grants.filter(([role]) => role !== 'readerRoleName')).toEqual([
      ["selfServiceKeys == 'off' ? readerRoleName : writerRoleName", '/dbs/${databaseName}/colls/catalog'],
    ]);
  });

  test.each(['loader app', 'operator'])('the %s may write to the database', (principal) => {
    expect(getGrants(principal)).toEqual([['writerRoleName', '/dbs/${databaseName}']]);
  });

  test('the app for queries reads exports, and writes to the inbox only if submissions over HTTP are on', () => {
    const uses = main.modules.filter(({ path, body }) => {
      return path.endsWith('blob-access.bicep') && body.includes('queryIdentity');
    });
    expect(uses.map(({ symbol }) => symbol).sort()).toEqual(['queryExportsAccess', 'queryInboxAccess']);
    expect(getModuleUse('queryExportsAccess')).toMatch(/containerName: exportsContainer\n\s+access: 'read'/);
    expect(getModuleUse('queryInboxAccess')).toMatch(/containerName: inboxContainer\n\s+access: 'write'/);
    expect(getModuleUse('queryInboxAccess')).toMatch(/= if \(submissionsHttp == 'submit'\) \{/);
    expect(getModuleUse('queryApp')).toContain("SUBMISSIONS_INBOX: submissionsHttp == 'submit' ? inboxUrl : ''");
  });

  test('submissions over HTTP have the defaults of the service', () => {
    expect(main.text).toContain("param submissionsHttp string = 'check'");
    expect(main.text).toContain('param checkMB int = 50');
    expect(main.text).toContain('param submitMB int = 500');
    expect(getModuleUse('queryApp')).toContain('_BODY_SIZE_LIMIT: string((max(checkMB, submitMB) + 1) * 1048576)');
  });

  test('the app for loaders has access to two containers', () => {
    expect(getUsesOf('blob-access.bicep').filter((body) => body.includes('loaderIdentity'))).toHaveLength(2);
  });

  test('only the app for queries signs addresses of blobs', () => {
    expect(getUsesOf('blob-delegation.bicep')).toEqual([expect.stringContaining('queryIdentity')]);
  });

  test('nothing uses keys: local authentication is off wherever it exists', () => {
    const allText = modules.map(({ text }) => text).join('\n');
    expect(
      allText.match(/disableLocalAuth: true|DisableLocalAuth: true|allowSharedKeyAccess: false|allow: false/g),
    ).toHaveLength(5);
    expect(allText).not.toMatch(/listKeys|AccountKey|connectionString: /);
  });
});

describe('conditions for a deployment', () => {
  const allText = files.map(({ text }) => text).join('\n');

  test('the budget starts on a fixed first day of a month', () => {
    expect(main.required).toContain('budgetStart');
    for (const { text } of parameterFiles) expect(text).toMatch(/^param budgetStart = '\d{4}-\d{2}-01'$/m);
    expect(allText).not.toContain('utcNow');
  });

  test('every identity is user-assigned and created before the database', () => {
    expect(allText).not.toMatch(/SystemAssigned|\.identity\.principalId/);
    expect(getModuleUse('cosmos')).toMatch(/dependsOn: \[\s+queryIdentity\s+loaderIdentity\s+\]/);
  });

  test('no name of a resource depends on the output of another module', () => {
    const runtimeNames = main.modules.flatMap(({ symbol, body }) =>
      [...body.matchAll(/^ +(\w*[nN]ame): .*(?:\.outputs\.|\.properties\.)/gm)].map(([, name]) => `${symbol}.${name}`),
    );
    expect(runtimeNames).toEqual([]);
    expect(modules.filter(({ text }) => /guid\([^)]*principalId/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test('modules have no deployment names of their own', () => {
    const named = files.flatMap((file) => file.modules).filter(({ body }) => /^ {2}name:/m.test(body));
    expect(named.map(({ symbol }) => symbol)).toEqual([]);
  });

  test('operator addresses restrict only a private database', () => {
    expect(getFile(join(INFRA, 'modules', 'cosmos.bicep')).text).toContain('ipRules: isPrivate ? operatorRules : []');
  });

  test('a zone-redundant environment has a zone-redundant plan for queries, and zone-redundant storage accounts', () => {
    expect(getModuleUse('queryApp')).toMatch(
      /isPlanZoneRedundant: isZoneRedundant\n\s+isStorageZoneRedundant: isZoneRedundant/,
    );
    expect(getModuleUse('loaderApp')).toContain('isStorageZoneRedundant: isZoneRedundant');
  });

  test("the query app's reservations leave a fifth of its memory, with and without checks of submissions", () => {
    const use = getModuleUse('queryApp');
    const read = (name: string): number => Number(new RegExp(`\\b${name}: '?(\\d+)`).exec(use)?.[1]);
    const sizes = /instanceMemoryMB: submissionsHttp == 'off' \? (\d+) : (\d+)/.exec(use);
    const [, withoutChecks = 0, withChecks = 0] = (sizes ?? []).map(Number);
    const host = 450;
    const program = 150;
    const caches = read('SEARCH_CACHE_MB') + read('ANSWER_CACHE_MB') + read('MAX_IN_FLIGHT_MB');
    const together = host + program + caches + 120 * read('EXPORTS_AT_ONCE');
    expect(together).toBeLessThanOrEqual(0.8 * withoutChecks);
    expect(together + 2 * read('LOADER_MEMORY_MB')).toBeLessThanOrEqual(0.8 * withChecks);
  });

  test('each resource type is used in only one API version', () => {
    const versions = new Map<string, Set<string>>();
    for (const [, type = '', version = ''] of allText.matchAll(/'(Microsoft\.[\w/]+)@([\w-]+)'/g)) {
      versions.set(type, (versions.get(type) ?? new Set()).add(version));
    }
    expect([...versions].filter(([, listed]) => listed.size > 1)).toEqual([]);
  });

  test('the example workflow lints the templates before it deploys the package', () => {
    const workflow = readProjectFile('docs/examples/deploy-azure.yml');
    const lint = workflow.indexOf('az bicep lint --file infra/main.bicep');
    expect(lint).toBeGreaterThan(0);
    expect(lint).toBeLessThan(workflow.indexOf('az functionapp deployment'));
  });
});

describe('azure.yaml', () => {
  const azureYaml = readProjectFile('azure.yaml');

  test('names a parameter file that exists', () => {
    const [, moduleName = ''] = /^ {2}module: (\S+)$/m.exec(azureYaml) ?? [];
    expect(existsSync(join(INFRA, `${moduleName}.bicepparam`))).toBe(true);
  });

  test('uses three outputs of main.bicep', () => {
    const outputs = Array.from(azureYaml.matchAll(/\$(\w+AppName|serviceUrl)/g), ([, name = '']) => name);
    expect(main.outputs).toEqual(expect.arrayContaining(outputs));
    expect(outputs).toHaveLength(3);
  });
});

test.each(['azure.yaml', 'docs/examples/deploy-azure.yml'])('%s deploys the package that the build writes', (path) => {
  expect(readProjectFile(path)).toContain('--src dist/package/water-data-query-service.zip');
});

test('the alerts query existing functions', () => {
  const { text } = getFile(join(INFRA, 'modules', 'alerts.bicep'));
  const functionNames = [...text.matchAll(/name == "(\w+)"/g)].map(([, name]) => name);
  expect(timerFunctions.map(({ name }) => name)).toEqual(expect.arrayContaining(functionNames));
  expect(functionNames).not.toEqual([]);
});
