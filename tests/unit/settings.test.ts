// Settings are read once; each wrong one is refused with a sentence that names it (operating.md, "Settings"). What the
// program takes of the machine, and the Node.js that it runs on. They stand in the sample file and in a table, too,
// and those of the platform in host.json.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDirectory } from '../../shared/project-files';
import {
  memoryOf,
  readAnswerCache,
  readLoaderMemory,
  readSearchCache,
  readSettings,
  readWorkers,
} from '../../shared/settings';
import { isNodeSupported } from '../../tools/command';

test('settings that are given replace the defaults', () => {
  const environment = {
    FUNCTIONS_TO_RUN: 'http',
    HOST: ' 0.0.0.0 ',
    PORT: '8080',
    PUBLIC_URL: 'https://WATER.example.org/api/',
    WATER_STORE: 'embedded',
    WATER_DATA_DIR: 'data',
    STAGING_DIR: '/fast/staging',
    SLASH_DATE_ORDER: 'DMY',
    REJECTED_SHARE_LIMIT: '0.25',
    HOLD_SUBMISSIONS: 'false',
    SUBMISSIONS_INBOX: 'inbox',
    LOADER_SCHEDULE: '0 0 6 * * MON-FRI',
    LOADER_MINUTES: '2.5',
    LOADER_QUIET_SECONDS: '0',
    LOADER_MEMORY_MB: '256',
    RELEASE_RETENTION_DAYS: '0',
    LOAD_SAMPLES: 'FALSE',
    DEVELOPMENT_KEY: 'false',
    SEARCH_CACHE_MB: '64',
    ANSWER_CACHE_MB: '0',
    REQUEST_DEADLINE_SECONDS: '2.5',
    MAX_IN_FLIGHT_MB: '32',
    REQUESTS_PER_MINUTE: '600',
    RECORDS_PER_MINUTE: '1000000000',
    MAX_CONCURRENT_REQUESTS: '32',
    KEYLESS_REQUESTS_PER_HOUR: '100',
    TRUSTED_PROXIES: '2',
    EXPORT_LIMIT: '1000',
    EXPORTS_AT_ONCE: '0',
    KEY_USAGE: 'log',
    WORKERS: '3',
    OPEN_PAGES: 'false',
    PAGES_PER_MINUTE: '60',
    CONTACT: 'https://water.example.org/keys',
    SELF_SERVICE_KEYS: 'mail',
    SELF_SERVICE_KEYS_PER_DAY: '20',
    LINKED_DATA_ID: 'https://geoconnex.us/wade/{id}',
    INSTANT_KEY_LIMITS: '10/1000',
    SUBMIT_INSTRUCTIONS: 'https://water.example.org/drop',
    BASEMAP_TILES: 'https://tiles.example.org/{z}/{x}/{y}.png © Example maps',
    SMTP_URL: 'smtps://user:secret@mail.example.org:465',
    MAIL_FROM: 'Water <keys@example.org>',
  };
  expect(readSettings(environment, '/base')).toEqual({
    functionsToRun: 'http',
    host: '0.0.0.0',
    port: 8080,
    publicUrl: 'https://water.example.org/api',
    store: { kind: 'embedded' },
    dataDirectory: '/base/data',
    stagingDirectory: '/fast/staging',
    slashDateOrder: 'DMY',
    rejectedShareLimit: 0.25,
    holdSubmissions: false,
    inbox: { kind: 'folder', folder: '/base/inbox' },
    loaderSchedule: '0 0 6 * * MON-FRI',
    loaderMinutes: 2.5,
    loaderQuietSeconds: 0,
    loaderMemoryBytes: 256 * 1024 * 1024,
    retentionDays: 0,
    loadSamples: false,
    developmentKey: false,
    searchCacheBytes: 64 * 1024 * 1024,
    answerCacheBytes: 0,
    requestDeadlineSeconds: 2.5,
    maxBytesInFlight: 32 * 1024 * 1024,
    requestsPerMinute: 600,
    recordsPerMinute: 1_000_000_000,
    maxConcurrentRequests: 32,
    keylessRequestsPerHour: 100,
    trustedProxies: { kind: 'hops', hops: 2 },
    exportLimit: 1000,
    exportsAtOnce: 0,
    keyUsage: 'log',
    workers: 3,
    basemap: { tiles: 'https://tiles.example.org/{z}/{x}/{y}.png', attribution: '© Example maps' },
    openPages: false,
    pagesPerMinute: 60,
    linkedDataId: 'https://geoconnex.us/wade/{id}',
    contact: 'https://water.example.org/keys',
    submitInstructions: 'https://water.example.org/drop',
    selfService: { kind: 'mail', keysPerDay: 20, instantLimits: { requestsPerMinute: 10, recordsPerMinute: 1000 } },
    mail: {
      smtpUrl: 'smtps://user:secret@mail.example.org:465',
      from: 'Water <keys@example.org>',
      serviceUrl: 'https://water.example.org/api',
      contact: 'https://water.example.org/keys',
    },
  });
});

test.each([
  [{ CONTACT: 'ask me' }, 'CONTACT'],
  [{ BASEMAP_TILES: 'https://tiles.example.org/{z}/{x}/{y}.png' }, 'BASEMAP_TILES'],
  [{ BASEMAP_TILES: 'https://tiles.example.org;x/{z}/{x}/{y} © Example' }, 'BASEMAP_TILES'],
  [{ BASEMAP_TILES: 'https://tiles.example.org/{z}.png © Example' }, 'BASEMAP_TILES'],
  [{ INSTANT_KEY_LIMITS: '0/5' }, 'INSTANT_KEY_LIMITS'],
  [{ SELF_SERVICE_KEYS: 'mail', MAIL_FROM: 'keys@example.org' }, 'SMTP_URL'],
  [
    { SELF_SERVICE_KEYS: 'mail', SMTP_URL: 'https://u:secret@mail.example.org', MAIL_FROM: 'a@example.org' },
    'SMTP_URL',
  ],
  [{ SELF_SERVICE_KEYS: 'mail', SMTP_URL: 'smtp://localhost:25', MAIL_FROM: 'nobody' }, 'MAIL_FROM'],
  [
    { SELF_SERVICE_KEYS: 'mail', SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@example.org', HOST: '0.0.0.0' },
    'PUBLIC_URL',
  ],
])('keys by oneself with %j do not start, and the sentence names %s', (environment, name) => {
  expect(() => readSettings(environment, '/base')).toThrow(`The setting ${name} must`);
  expect(() => readSettings(environment, '/base')).not.toThrow('secret');
});

const refused = {
  FUNCTIONS_TO_RUN: ['loaders'],
  HOST: ['256.1.1.1'],
  PORT: ['65536', '-1', '80a', '0x50', '1e3', '80.5'],
  WORKERS: ['many'],
  PUBLIC_URL: ['water.example.org', 'ftp://water.example.org', 'https://water.example.org/#'],
  TRUSTED_PROXIES: ['nginx'],
  PAGES_PER_MINUTE: ['0'],
  LINKED_DATA_ID: ['https://geoconnex.us/wade/sites/', 'https://geoconnex.us/{id}/{name}', 'geoconnex.us/{id}'],
  WATER_STORE: ['postgres', 'Embedded!'],
  SLASH_DATE_ORDER: ['YMD', 'MDY,DMY'],
  REJECTED_SHARE_LIMIT: ['1.1', '10%', '-0.1'],
  LOAD_SAMPLES: ['yes'],
  DEVELOPMENT_KEY: ['0'],
  SEARCH_CACHE_MB: ['0', '7', '65537', 'lots', '-1'],
  ANSWER_CACHE_MB: ['-1'],
  REQUEST_DEADLINE_SECONDS: ['0'],
  MAX_IN_FLIGHT_MB: ['1', 'NaN'],
  REQUESTS_PER_MINUTE: ['0', '1.5'],
  RECORDS_PER_MINUTE: ['1000000001'],
  MAX_CONCURRENT_REQUESTS: ['0'],
  EXPORT_LIMIT: ['0'],
  EXPORTS_AT_ONCE: ['two'],
  KEY_USAGE: ['nowhere'],
  LOADER_SCHEDULE: ['* * * * *', '* * * * * * *', '60 * * * * *', '@daily', '0 0 0 L * *', '0 0 0 30 2 *'],
  LOADER_MINUTES: ['0'],
  LOADER_QUIET_SECONDS: ['-1'],
  LOADER_MEMORY_MB: ['127'],
  RELEASE_RETENTION_DAYS: ['-1'],
  SUBMISSIONS_INBOX: [
    'ftp://example.org/inbox',
    'http://example.org/inbox',
    'https://account.blob.example.org',
    'AccountName=a;BlobEndpoint=https://example.org',
  ],
  EXPORTS_CONTAINER: ['exports', 'http://example.org/exports'],
};

/** The values of each setting, one a case. */
function casesOf(settings: Readonly<Record<string, readonly string[]>>): (readonly [name: string, value: string])[] {
  return Object.entries(settings).flatMap(([name, values]) => values.map((value) => [name, value] as const));
}

test.each(casesOf(refused))('%s must not be %s: the sentence names both', (name, value) => {
  const read = (): unknown => readSettings({ [name]: value }, '/base');
  expect(read).toThrow(name);
  expect(read).toThrow(value);
});

test.each([
  ['submissions', { kind: 'folder', folder: '/base/submissions' }],
  ['/srv/submissions', { kind: 'folder', folder: '/srv/submissions' }],
  ['https://a.example.org/inbox', { kind: 'container', url: 'https://a.example.org/inbox' }],
  ['http://127.0.0.1:10000/a/inbox?sig=x', { kind: 'container', url: 'http://127.0.0.1:10000/a/inbox?sig=x' }],
  [
    'AccountName=a;AccountKey=b==;Container=inbox',
    { kind: 'account', connectionString: 'AccountName=a;AccountKey=b==', container: 'inbox' },
  ],
])('SUBMISSIONS_INBOX may be %s', (value, inbox) => {
  expect(readSettings({ SUBMISSIONS_INBOX: value }, '/base').inbox).toEqual(inbox);
});

const containersWithSecrets = [
  'https://a.example.org/?sig=secret',
  'http://u:secret@a.example.org/i',
  'AccountName=a;AccountKey=secret',
];

const withSecrets = {
  SUBMISSIONS_INBOX: containersWithSecrets,
  EXPORTS_CONTAINER: [...containersWithSecrets, 'https://a.example.org/exports?sig=secret'],
  PUBLIC_URL: ['https://user:secret@water.example.org', 'https://water.example.org/?secret'],
  COSMOS_ENDPOINT: [
    'a.documents.example.org',
    'http://a.documents.example.org/',
    'https://user:secret@a.documents.example.org/',
    'AccountEndpoint=https://a.documents.example.org/;AccountKey=secret',
  ],
};

/** COSMOS_ENDPOINT is read with this store alone. */
const cosmos = { WATER_STORE: 'cosmos', COSMOS_ENDPOINT: 'https://a.documents.example.org/' };

test.each(casesOf(withSecrets))('the sentence about a wrong %s does not repeat its credential: %s', (name, value) => {
  const read = (): unknown => readSettings({ ...cosmos, [name]: value }, '/base');
  expect(read).toThrow(name);
  expect(read).not.toThrow('secret');
});

test('WATER_STORE=cosmos needs an endpoint, and takes the identity of the process without a key', () => {
  const read = (environment: Readonly<Record<string, string>>): unknown =>
    readSettings({ WATER_STORE: 'cosmos', ...environment }, '/base').store;
  expect(() => read({})).toThrow('COSMOS_ENDPOINT');
  const endpoint = 'https://a.documents.example.org:8081/';
  expect(read({ COSMOS_ENDPOINT: endpoint })).toEqual({ kind: 'cosmos', endpoint, database: 'water', key: undefined });
  const given = { COSMOS_ENDPOINT: 'http://127.0.0.1:8081', COSMOS_DATABASE: 'other', COSMOS_KEY: 'c2VjcmV0' };
  expect(read(given)).toEqual({
    kind: 'cosmos',
    endpoint: 'http://127.0.0.1:8081/',
    database: 'other',
    key: 'c2VjcmV0',
  });
});

const GIGABYTE = 1024 ** 3;

test.each([
  [0.5, 128],
  [2, 128],
  [4, 256],
  [8, 512],
  [24, 1024],
])('of %s GB of memory the caches of the searches take %i MB by themselves', (gigabytes, megabytes) => {
  expect(readSearchCache(gigabytes * GIGABYTE)('auto')).toEqual({ ok: true, value: megabytes });
});

test.each([
  [0.5, 1024],
  [4, 2048],
  [64, 8192],
])('of %s GB of memory a process that loads may take %i MB by itself', (gigabytes, megabytes) => {
  expect(readLoaderMemory(gigabytes * GIGABYTE)('auto')).toEqual({ ok: true, value: megabytes });
});

test('a container has less memory than its machine, and a machine without a limit has its own', () => {
  expect(memoryOf(24 * GIGABYTE, 2 * GIGABYTE)).toBe(2 * GIGABYTE);
  expect(memoryOf(24 * GIGABYTE, 0)).toBe(24 * GIGABYTE);
  // What some systems say where no limit is set.
  expect(memoryOf(24 * GIGABYTE, 2 ** 64)).toBe(24 * GIGABYTE);
});

test.each([
  [1, 1],
  [3, 1],
  [4, 2],
  [64, 32],
  [256, 64],
])('%i cores have %i processes by themselves', (cores, workers) => {
  expect(readWorkers(cores)('auto')).toEqual({ ok: true, value: workers });
});

test('each process has as much memory for its answers as one alone has, and a number is that of all', () => {
  expect([1, 2, 8].map((workers) => readAnswerCache(workers)('auto'))).toEqual(
    [64, 128, 512].map((value) => ({ ok: true, value })),
  );
  expect(readAnswerCache(8)('0')).toEqual({ ok: true, value: 0 });
});

test.each(['22.15.0', '22.20.1', '23.8.0', '24.0.0', '25.1.0', '100.0.0'])('runs on Node %s', (version) => {
  expect(isNodeSupported(version)).toBe(true);
});

test.each(['18.20.0', '20.20.2', '22.14.9', '23.0.0', '23.7.0'])('refuses Node %s', (version) => {
  expect(isNodeSupported(version)).toBe(false);
});

/** The platform's own settings, which the program does not read. */
const PLATFORM_SETTINGS = ['FUNCTIONS_WORKER_RUNTIME', 'AzureWebJobsStorage', 'AzureWebJobsDisableHomepage'];

const read = (name: string): string => readFileSync(join(projectDirectory(), name), 'utf8');
const { Values: sample } = JSON.parse(read('local.settings.sample.json')) as { Values: Record<string, string> };
const ours = Object.keys(sample).filter((name) => !PLATFORM_SETTINGS.includes(name));

/** Name and default of each row of the table. */
const documented = [...read('docs/operating.md').matchAll(/^\| `([A-Z_]+)` +\| (?:`([^`]*)`)? +\|/gm)].map(
  ([, name, standard]) => [name, standard ?? ''],
);

test('the sample file has every setting that the program reads, and no other', () => {
  const asked = new Set<string>();
  const environment = new Proxy<Record<string, string>>({}, { get: (_, name) => void asked.add(String(name)) });
  readSettings(environment, '/base');
  expect([...asked].sort()).toEqual([...ours].sort());
});

test('the values of the sample file are the defaults', () => {
  expect(readSettings(sample, '/base')).toEqual(readSettings({}, '/base'));
});

test('the table in docs/operating.md has every setting with its default', () => {
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(ours.map((name) => [name, sample[name]])));
});

describe('host.json', () => {
  const host = JSON.parse(readFileSync(join(projectDirectory(), 'host.json'), 'utf8'));
  const { logLevel, applicationInsights } = host.logging;

  test('the paths on the platform are those of the local host', () => {
    expect(host.extensions.http.routePrefix).toBe('');
  });

  test('no telemetry has a query string, which may hold a key', () => {
    expect(applicationInsights).toMatchObject({ enableQueryStringTracing: false, enableDependencyTracking: false });
    expect(logLevel.default).toBe('Warning');
  });

  test('the lines of the loaders and the outcome of every function are logged without sampling', () => {
    expect(logLevel).toMatchObject({ 'Host.Function.Console': 'Information', 'Host.Results': 'Information' });
    expect(applicationInsights.samplingSettings.excludedTypes.split(';')).toEqual(
      expect.arrayContaining(['Trace', 'Exception']),
    );
  });

  test('a tick of the loaders has time beyond the minutes in which it takes submissions', () => {
    const milliseconds = Date.parse(`1970-01-01T${String(host.functionTimeout)}Z`);
    expect(milliseconds / 60_000).toBeGreaterThan(readSettings({}, '/base').loaderMinutes);
  });
});
