// Settings are read once, at the start. An invalid setting stops the start with a message that names it
// (docs/operating/settings.md).

import { readSettings, type Settings } from '../../shared/settings';

const MEGABYTE = 1024 * 1024;

type SettingCase = readonly [name: string, text: string, expected: Partial<Settings>];

/** Each case changes only the given settings. `/base` is the folder for relative paths. */
const CASES: readonly SettingCase[] = [
  ['FUNCTIONS_TO_RUN', 'http', { functionsToRun: 'http' }],
  ['HOST', ' 0.0.0.0 ', { host: '0.0.0.0' }],
  ['PORT', '8080', { port: 8080 }],
  ['PUBLIC_URL', 'https://WATER.example.org/api/', { publicUrl: 'https://water.example.org/api' }],
  ['WATER_STORE', 'embedded', { store: { kind: 'embedded' } }],
  ['WATER_DATA_DIR', 'data', { dataDirectory: '/base/data', stagingDirectory: '/base/data/staging' }],
  ['STAGING_DIR', '/fast/staging', { stagingDirectory: '/fast/staging' }],
  ['SLASH_DATE_ORDER', 'DMY', { slashDateOrder: 'DMY' }],
  ['REJECTED_SHARE_LIMIT', '0.25', { rejectedShareLimit: 0.25 }],
  ['HOLD_SUBMISSIONS', 'false', { holdSubmissions: false }],
  ['SUBMISSIONS_INBOX', 'inbox', { inbox: { kind: 'folder', folder: '/base/inbox' } }],
  ['SUBMISSIONS_HTTP', 'off', { submissionsHttp: 'off' }],
  ['CHECK_MB', '2', { checkBytes: 2 * MEGABYTE }],
  ['SUBMIT_MB', '3', { submitBytes: 3 * MEGABYTE }],
  ['LOADER_SCHEDULE', '0 0 6 * * MON-FRI', { loaderSchedule: '0 0 6 * * MON-FRI' }],
  ['LOADER_MINUTES', '2.5', { loaderMinutes: 2.5 }],
  ['LOADER_QUIET_SECONDS', '0', { loaderQuietSeconds: 0 }],
  ['LOADER_MEMORY_MB', '256', { loaderMemoryBytes: 256 * MEGABYTE }],
  ['RELEASE_RETENTION_DAYS', '0', { retentionDays: 0 }],
  ['LOAD_SAMPLES', 'FALSE', { loadSamples: false }],
  ['DEVELOPMENT_KEY', 'false', { developmentKey: false }],
  ['SEARCH_CACHE_MB', '64', { searchCacheBytes: 64 * MEGABYTE }],
  ['WORKERS', '3', { workers: 3, answerCacheBytes: 3 * 64 * MEGABYTE }],
  ['ANSWER_CACHE_MB', '0', { answerCacheBytes: 0 }],
  ['REQUEST_DEADLINE_SECONDS', '2.5', { requestDeadlineSeconds: 2.5 }],
  ['MAX_IN_FLIGHT_MB', '32', { maxBytesInFlight: 32 * MEGABYTE }],
  ['REQUESTS_PER_MINUTE', '600', { requestsPerMinute: 600 }],
  ['RECORDS_PER_MINUTE', '1000000000', { recordsPerMinute: 1_000_000_000 }],
  ['MAX_CONCURRENT_REQUESTS', '32', { maxConcurrentRequests: 32 }],
  ['KEYLESS_REQUESTS_PER_HOUR', '100', { keylessRequestsPerHour: 100 }],
  ['TRUSTED_PROXIES', '2', { trustedProxies: { kind: 'hops', hops: 2 } }],
  ['EXPORT_LIMIT', '1000', { exportLimit: 1000 }],
  ['EXPORTS_AT_ONCE', '0', { exportsAtOnce: 0 }],
  ['KEY_USAGE', 'log', { keyUsage: 'log' }],
  [
    'BASEMAP_TILES',
    'https://tiles.example.org/{z}/{x}/{y}.png © Example maps',
    { basemap: { tiles: 'https://tiles.example.org/{z}/{x}/{y}.png', attribution: '© Example maps' } },
  ],
  ['OPEN_PAGES', 'false', { openPages: false }],
  ['PAGES_PER_MINUTE', '60', { pagesPerMinute: 60 }],
  ['LINKED_DATA_ID', 'https://geoconnex.us/wade/{id}', { linkedDataId: 'https://geoconnex.us/wade/{id}' }],
  ['CONTACT', 'https://water.example.org/keys', { contact: 'https://water.example.org/keys' }],
  ['SUBMIT_INSTRUCTIONS', 'https://water.example.org/drop', { submitInstructions: 'https://water.example.org/drop' }],
];

test.each(CASES)('reads %s=%s', (name, text, expected) => {
  const defaults = readSettings({}, '/base');
  expect(readSettings({ [name]: text }, '/base')).toEqual({ ...defaults, ...expected });
});

test('reading all settings together gives the same values as reading each alone, with keys that are mailed', () => {
  const environment = {
    ...Object.fromEntries(CASES.map(([name, text]) => [name, text])),
    SELF_SERVICE_KEYS: 'mail',
    SELF_SERVICE_KEYS_PER_DAY: '20',
    INSTANT_KEY_LIMITS: '10/1000',
    SMTP_URL: 'smtps://user:secret@mail.example.org:465',
    MAIL_FROM: 'Water <keys@example.org>',
  };
  expect(readSettings(environment, '/base')).toEqual({
    ...Object.assign({}, ...CASES.map(([, , expected]) => expected)),
    reportMail: { smtpUrl: environment.SMTP_URL, from: environment.MAIL_FROM },
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
])('does not start with %j, and the message names %s', (environment, name) => {
  expect(() => readSettings(environment, '/base')).toThrow(`The setting ${name} must`);
  expect(() => readSettings(environment, '/base')).not.toThrow('secret');
});

test.each([
  ['FUNCTIONS_TO_RUN', 'loaders'],
  ['HOST', '256.1.1.1'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '80a'],
  ['PORT', '0x50'],
  ['PORT', '1e3'],
  ['PORT', '80.5'],
  ['WORKERS', 'many'],
  ['PUBLIC_URL', 'water.example.org'],
  ['PUBLIC_URL', 'ftp://water.example.org'],
  ['PUBLIC_URL', 'https://water.example.org/#'],
  ['TRUSTED_PROXIES', 'nginx'],
  ['PAGES_PER_MINUTE', '0'],
  ['LINKED_DATA_ID', 'https://geoconnex.us/wade/sites/'],
  ['LINKED_DATA_ID', 'https://geoconnex.us/{id}/{name}'],
  ['LINKED_DATA_ID', 'geoconnex.us/{id}'],
  ['WATER_STORE', 'postgres'],
  ['WATER_STORE', 'Embedded!'],
  ['SLASH_DATE_ORDER', 'YMD'],
  ['SLASH_DATE_ORDER', 'MDY,DMY'],
  ['REJECTED_SHARE_LIMIT', '1.1'],
  ['REJECTED_SHARE_LIMIT', '10%'],
  ['REJECTED_SHARE_LIMIT', '-0.1'],
  ['LOAD_SAMPLES', 'yes'],
  ['DEVELOPMENT_KEY', '0'],
  ['SEARCH_CACHE_MB', '0'],
  ['SEARCH_CACHE_MB', '7'],
  ['SEARCH_CACHE_MB', '65537'],
  ['SEARCH_CACHE_MB', 'lots'],
  ['SEARCH_CACHE_MB', '-1'],
  ['ANSWER_CACHE_MB', '-1'],
  ['REQUEST_DEADLINE_SECONDS', '0'],
  ['MAX_IN_FLIGHT_MB', '1'],
  ['MAX_IN_FLIGHT_MB', 'NaN'],
  ['REQUESTS_PER_MINUTE', '0'],
  ['REQUESTS_PER_MINUTE', '1.5'],
  ['RECORDS_PER_MINUTE', '1000000001'],
  ['MAX_CONCURRENT_REQUESTS', '0'],
  ['EXPORT_LIMIT', '0'],
  ['EXPORTS_AT_ONCE', 'two'],
  ['KEY_USAGE', 'nowhere'],
  ['LOADER_SCHEDULE', '* * * * *'],
  ['LOADER_SCHEDULE', '* * * * * * *'],
  ['LOADER_SCHEDULE', '60 * * * * *'],
  ['LOADER_SCHEDULE', '@daily'],
  ['LOADER_SCHEDULE', '0 0 0 L * *'],
  ['LOADER_SCHEDULE', '0 0 0 30 2 *'],
  ['SUBMISSIONS_HTTP', 'true'],
  // Submissions over HTTP need an inbox.
  ['SUBMISSIONS_HTTP', 'submit'],
  ['CHECK_MB', '0'],
  ['SUBMIT_MB', '1.5'],
  ['LOADER_MINUTES', '0'],
  ['LOADER_QUIET_SECONDS', '-1'],
  ['LOADER_MEMORY_MB', '127'],
  ['RELEASE_RETENTION_DAYS', '-1'],
  ['SUBMISSIONS_INBOX', 'ftp://example.org/inbox'],
  ['SUBMISSIONS_INBOX', 'http://example.org/inbox'],
  ['SUBMISSIONS_INBOX', 'https://account.blob.example.org'],
  ['SUBMISSIONS_INBOX', 'AccountName=a;BlobEndpoint=https://example.org'],
  ['EXPORTS_CONTAINER', 'exports'],
  ['EXPORTS_CONTAINER', 'http://example.org/exports'],
])('refuses %s=%s with a message that names both', (name, text) => {
  const read = (): unknown => readSettings({ [name]: text }, '/base');
  expect(read).toThrow(name);
  expect(read).toThrow(text);
});

/** COSMOS_ENDPOINT is read only with this store. */
const COSMOS = { WATER_STORE: 'cosmos', COSMOS_ENDPOINT: 'https://a.documents.example.org/' };

test.each([
  ['SUBMISSIONS_INBOX', 'https://a.example.org/?sig=secret'],
  ['SUBMISSIONS_INBOX', 'http://u:secret@a.example.org/i'],
  ['SUBMISSIONS_INBOX', 'AccountName=a;AccountKey=secret'],
  ['EXPORTS_CONTAINER', 'https://a.example.org/?sig=secret'],
  ['EXPORTS_CONTAINER', 'http://u:secret@a.example.org/i'],
  ['EXPORTS_CONTAINER', 'AccountName=a;AccountKey=secret'],
  ['EXPORTS_CONTAINER', 'https://a.example.org/exports?sig=secret'],
  ['PUBLIC_URL', 'https://user:secret@water.example.org'],
  ['PUBLIC_URL', 'https://water.example.org/?secret'],
  ['COSMOS_ENDPOINT', 'a.documents.example.org'],
  ['COSMOS_ENDPOINT', 'http://a.documents.example.org/'],
  ['COSMOS_ENDPOINT', 'https://user:secret@a.documents.example.org/'],
  ['COSMOS_ENDPOINT', 'AccountEndpoint=https://a.documents.example.org/;AccountKey=secret'],
])('refuses %s=%s with a message that does not repeat the credential', (name, text) => {
  const read = (): unknown => readSettings({ ...COSMOS, [name]: text }, '/base');
  expect(read).toThrow(name);
  expect(read).not.toThrow('secret');
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
])('reads SUBMISSIONS_INBOX=%s', (text, inbox) => {
  expect(readSettings({ SUBMISSIONS_INBOX: text }, '/base').inbox).toEqual(inbox);
});

describe('WATER_STORE=cosmos', () => {
  const readStore = (environment: Readonly<Record<string, string>>): unknown =>
    readSettings({ WATER_STORE: 'cosmos', ...environment }, '/base').store;

  test('needs an endpoint', () => {
    expect(() => readStore({})).toThrow('COSMOS_ENDPOINT');
  });

  test('uses the identity of the process if there is no key', () => {
    const endpoint = 'https://a.documents.example.org:8081/';
    expect(readStore({ COSMOS_ENDPOINT: endpoint })).toEqual({
      kind: 'cosmos',
      endpoint,
      database: 'water',
      key: undefined,
    });
  });

  test('accepts an emulator on this machine, another database and a key', () => {
    const environment = {
      COSMOS_ENDPOINT: 'http://127.0.0.1:8081',
      COSMOS_DATABASE: 'other',
      COSMOS_KEY: 'c2VjcmV0',
    };
    expect(readStore(environment)).toEqual({
      kind: 'cosmos',
      endpoint: 'http://127.0.0.1:8081/',
      database: 'other',
      key: 'c2VjcmV0',
    });
  });
});

test('submissions can be sent over HTTP if there is an inbox', () => {
  const settings = readSettings({ SUBMISSIONS_HTTP: 'submit', SUBMISSIONS_INBOX: 'inbox' }, '/base');
  expect(settings.submissionsHttp).toBe('submit');
});
