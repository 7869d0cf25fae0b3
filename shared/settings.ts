// Reads and checks all settings once. An invalid setting stops the start with an error that contains its name.

import { isIP } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { Cron, type CronOptions } from 'croner';
import { readTrustedProxies } from './access/client-address';
import { readMailAddress } from './access/mail-address';
import type { MailSettings } from './access/mail-text';
import type { SelfServiceOptions } from './access/self-service-keys';
import type { ContainerLocation } from './store/blob-container';
import type { CosmosLocation } from './store/cosmos/connect';
import type { SlashDateOrder } from './values/dates';
import { readInteger } from './values/numbers';
import { failure, type Result, success } from './values/result';

type StoreLocation = { readonly kind: 'embedded' } | ({ readonly kind: 'cosmos' } & CosmosLocation);

export type InboxLocation = { readonly kind: 'folder'; readonly folder: string } | ContainerLocation;

/** All settings. The readers below declare each one with its name in the environment and its default. */
export type Settings = Readonly<
  ReturnType<typeof readHosting> &
    ReturnType<typeof readLoading> &
    ReturnType<typeof readAnswering> &
    ReturnType<typeof readPages> &
    ReturnType<typeof readSelfService>
>;

export interface Basemap {
  /** An address with {z}, {x} and {y}. */
  readonly tiles: string;
  readonly attribution: string;
}

export class SettingError extends Error {
  constructor(name: string, rule: string, value: string) {
    super(`The setting ${name} ${rule}; it is "${value}".`);
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a setting by its name. A blank setting gets its default. Throws a SettingError for an invalid value. */
type ReadSetting = <Value>(name: string, defaultText: string, readText: (text: string) => Result<Value>) => Value;

export const MEGABYTE = 1024 * 1024;

/** The largest limit, which means no limit. It fits into a structured header field. */
export const MAX_PER_MINUTE = 1_000_000_000;

/** Relative paths are relative to `baseDirectory`. */
export function readSettings(environment: Environment, baseDirectory: string): Settings {
  const read: ReadSetting = (name, defaultText, readText) => {
    const setting = environment[name]?.trim() ?? '';
    const text = setting === '' ? defaultText : setting;
    const value = readText(text);
    if (value.ok) return value.value;
    throw new SettingError(name, value.problem, withoutCredentials(text));
  };
  const workers = read('WORKERS', 'auto', readWorkers(availableParallelism()));
  const memoryBytes = findUsableMemory(totalmem(), process.constrainedMemory());
  return {
    ...readHosting(read, baseDirectory, workers),
    ...readLoading(read, baseDirectory, memoryBytes),
    ...readAnswering(read, memoryBytes, workers),
    ...readPages(read),
    ...readSelfService(read),
  };
}

// The readers have inferred result types, from which the type of the settings is derived.

/** How the service runs and where its data is. */
function readHosting(read: ReadSetting, baseDirectory: string, workers: number) {
  const readPath = (text: string): Result<string> => success(resolve(baseDirectory, text));
  const dataDirectory = read('WATER_DATA_DIR', '.data', readPath);
  return {
    /**
     * The functions that an app on the platform runs. An app has one identity, and queries need fewer rights than
     * loaders (ADR 0029).
     */
    functionsToRun: read('FUNCTIONS_TO_RUN', 'all', oneOf('all', 'http', 'timers')),
    host: read('HOST', '127.0.0.1', readHost),
    port: read('PORT', '7071', integerBetween(0, 65_535)),
    /** The number of processes of `npm start` that answer requests. */
    workers,
    /** Where clients reach the service, without a trailing slash. Empty when links are relative to the host. */
    publicUrl: read('PUBLIC_URL', '', readPublicUrl),
    store: readStore(read),
    dataDirectory,
    stagingDirectory: read('STAGING_DIR', `${dataDirectory}/staging`, readPath),
    slashDateOrder: read('SLASH_DATE_ORDER', 'MDY', oneOf<SlashDateOrder>('MDY', 'DMY')),
  };
}

/** How submissions are received and loaded. */
function readLoading(read: ReadSetting, baseDirectory: string, memoryBytes: number) {
  return {
    rejectedShareLimit: read('REJECTED_SHARE_LIMIT', '0.1', numberBetween(0, 1)),
    /** Whether suspicious submissions are held until they are confirmed (D64). */
    holdSubmissions: read('HOLD_SUBMISSIONS', 'true', readBoolean),
    inbox: read('SUBMISSIONS_INBOX', '', (text) =>
      text === '' ? success(undefined) : readInboxLocation(text, baseDirectory),
    ),
    /** How to submit, in words or as a web address. Empty for the default text of the page at /submit (D66). */
    submitInstructions: read('SUBMIT_INSTRUCTIONS', '', success),
    ...readSubmitting(read),
    /** Where files of releases are stored when the store is Cosmos DB. The embedded store keeps them itself. */
    exportsContainer: read('EXPORTS_CONTAINER', '', readExportsContainer),
    /** A cron expression with six fields; the first field is the second of the minute. */
    loaderSchedule: read('LOADER_SCHEDULE', '0 * * * * *', readSchedule),
    /**
     * The number of minutes after its start during which a run accepts new submissions and continues to read the
     * current one.
     */
    loaderMinutes: read('LOADER_MINUTES', '30', numberBetween(0.1, 1440)),
    /** How long the files of a submission must be unchanged before it is loaded (ADR 0052). */
    loaderQuietSeconds: read('LOADER_QUIET_SECONDS', '10', numberBetween(0, 3600)),
    /** The memory of a process that loads submissions or writes release files, including memory outside of its heap. */
    loaderMemoryBytes: read('LOADER_MEMORY_MB', 'auto', readLoaderMemory(memoryBytes)) * MEGABYTE,
    retentionDays: read('RELEASE_RETENTION_DAYS', '30', numberBetween(0, 36_500)),
    loadSamples: read('LOAD_SAMPLES', 'true', readBoolean),
  };
}

/** Checking and submitting over HTTP (D76). */
function readSubmitting(read: ReadSetting) {
  const hasInbox = read('SUBMISSIONS_INBOX', '', success<string>) !== '';
  return {
    submissionsHttp: read('SUBMISSIONS_HTTP', 'check', (text) => {
      const mode = oneOf('off', 'check', 'submit')(text);
      return text === 'submit' && !hasInbox ? failure('can be submit only with an inbox (SUBMISSIONS_INBOX)') : mode;
    }),
    /** The maximum size of the body of a check. Unpacked, the content may be ten times as large. */
    checkBytes: read('CHECK_MB', '50', integerBetween(1, 10_000)) * MEGABYTE,
    /** The maximum size of the body of a submission. */
    submitBytes: read('SUBMIT_MB', '500', integerBetween(1, 100_000)) * MEGABYTE,
  };
}

/** Limits of clients and of answers. */
function readAnswering(read: ReadSetting, memoryBytes: number, workers: number) {
  return {
    developmentKey: read('DEVELOPMENT_KEY', 'true', readBoolean),
    searchCacheBytes: read('SEARCH_CACHE_MB', 'auto', readSearchCache(memoryBytes)) * MEGABYTE,
    answerCacheBytes: read('ANSWER_CACHE_MB', 'auto', readAnswerCache(workers)) * MEGABYTE,
    requestDeadlineSeconds: read('REQUEST_DEADLINE_SECONDS', '30', numberBetween(1, 3600)),
    maxBytesInFlight: read('MAX_IN_FLIGHT_MB', '512', numberBetween(16, 65_536)) * MEGABYTE,
    /** The limits of keys that have no limits of their own (ADR 0043). */
    requestsPerMinute: read('REQUESTS_PER_MINUTE', '30000', integerBetween(1, MAX_PER_MINUTE)),
    recordsPerMinute: read('RECORDS_PER_MINUTE', '30000000', integerBetween(1, MAX_PER_MINUTE)),
    maxConcurrentRequests: read('MAX_CONCURRENT_REQUESTS', '256', integerBetween(1, 65_536)),
    /** The maximum number of records of an export, and of simultaneous exports (D46). */
    exportLimit: read('EXPORT_LIMIT', '5000000', integerBetween(1, 1_000_000_000)),
    exportsAtOnce: read('EXPORTS_AT_ONCE', '2', integerBetween(0, 64)),
    /** The number of requests below /ogc that an address may send per hour without a key (D51). */
    keylessRequestsPerHour: read('KEYLESS_REQUESTS_PER_HOUR', '0', integerBetween(0, MAX_PER_MINUTE)),
    /** The proxies that are trusted to report a client's address (D54). */
    trustedProxies: read('TRUSTED_PROXIES', '', readTrustedProxies),
    /** Where usage of keys is recorded (ADR 0043). */
    keyUsage: read('KEY_USAGE', 'store', oneOf('store', 'log')),
    /** Where people get keys: an email address or a web page. Empty if it is not published. */
    contact: read('CONTACT', '', readContact),
  };
}

function readPages(read: ReadSetting) {
  return {
    /** The tiles below the data on the explorer's map; undefined for the built-in base map. */
    basemap: read('BASEMAP_TILES', '', readBasemap),
    /** Whether pages of single features need no key, and how many of them an address may request in a minute (D57). */
    openPages: read('OPEN_PAGES', 'true', readBoolean),
    pagesPerMinute: read('PAGES_PER_MINUTE', '600', integerBetween(1, MAX_PER_MINUTE)),
    /** The pattern of ids in linked data (D58). Empty when the ids are the addresses of pages. */
    linkedDataId: read('LINKED_DATA_ID', '', readIdPattern),
  };
}

/** The email settings are checked only if email is sent. */
function readSelfService(read: ReadSetting) {
  const kind = read('SELF_SERVICE_KEYS', 'off', oneOf('off', 'mail', 'instant'));
  const keysPerDay = read('SELF_SERVICE_KEYS_PER_DAY', '1000', integerBetween(0, 1_000_000));
  const instantLimits = read('INSTANT_KEY_LIMITS', '300/300000', readKeyLimits);
  const isMailed = kind === 'mail';
  const host = read('HOST', '127.0.0.1', success<string>);
  const port = read('PORT', '7071', success<string>);
  // Never derived from a request, because anyone can choose the Host header.
  const localUrl = isLoopback(host) ? `http://${host.includes(':') ? `[${host}]` : host}:${port}` : '';
  const mail: MailSettings = {
    smtpUrl: read('SMTP_URL', '', isMailed ? readSmtpUrl : success),
    from: read('MAIL_FROM', '', isMailed ? readMailFrom : success),
    serviceUrl: read('PUBLIC_URL', localUrl, isMailed ? readServiceUrl : success),
    contact: read('CONTACT', '', success),
  };
  const selfService: SelfServiceOptions | undefined = kind === 'off' ? undefined : { kind, keysPerDay, instantLimits };
  return {
    /** How people create their own keys (D56); undefined when they cannot. */
    selfService,
    /** Undefined if no email is sent. */
    mail: isMailed ? mail : undefined,
    /** How reports of submissions are emailed (D76); undefined if they are not. */
    reportMail: mail.smtpUrl !== '' && mail.from !== '' ? { smtpUrl: mail.smtpUrl, from: mail.from } : undefined,
  };
}

function readContact(text: string): Result<string> {
  const isPage = /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
  return text === '' || isPage || readMailAddress(text) !== undefined
    ? success(text)
    : failure('must be an email address or the address of a page');
}

function readKeyLimits(text: string): Result<SelfServiceOptions['instantLimits']> {
  const [requestsPerMinute = 0, recordsPerMinute = 0] = text.split('/').map(Number);
  const isValid =
    /^\d+\/\d+$/.test(text) &&
    [requestsPerMinute, recordsPerMinute].every((limit) => limit >= 1 && limit <= MAX_PER_MINUTE);
  return isValid
    ? success({ requestsPerMinute, recordsPerMinute })
    : failure('must be requests and records per minute, such as 300/300000');
}

/** The error message does not repeat the value, which may contain a password. */
function readSmtpUrl(text: string): Result<string> {
  const url = URL.parse(text);
  if (url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '') return success(text);
  return failure(
    'must be the address of a mail server for SELF_SERVICE_KEYS=mail, such as smtps://USER:PASSWORD@HOST:465',
  );
}

function readMailFrom(text: string): Result<string> {
  const [, bare = text] = /<([^<>]*)>$/.exec(text) ?? [];
  const isValid = readMailAddress(bare) !== undefined && !/[\r\n]/.test(text);
  return isValid ? success(text) : failure('must be an email address for SELF_SERVICE_KEYS=mail');
}

function readServiceUrl(text: string): Result<string> {
  if (text === '')
    return failure(
      'must be the public address of the service for SELF_SERVICE_KEYS=mail, because emails contain links',
    );
  return readPublicUrl(text);
}

/** The address of Cosmos DB is not checked while the embedded store is used. */
function readStore(read: ReadSetting): StoreLocation {
  const kind = read('WATER_STORE', 'embedded', oneOf('embedded', 'cosmos'));
  const endpoint = read('COSMOS_ENDPOINT', '', kind === 'cosmos' ? readCosmosEndpoint : success);
  const database = read('COSMOS_DATABASE', 'water', success<string>);
  const key = read('COSMOS_KEY', '', success<string>);
  return kind === 'embedded' ? { kind } : { kind, endpoint, database, key: key || undefined };
}

/** The error message does not repeat the value, which may contain a credential. */
function readCosmosEndpoint(text: string): Result<string> {
  const url = URL.parse(text);
  if (url === null) {
    return failure(
      'must be the address of an account for WATER_STORE=cosmos, such as https://ACCOUNT.documents.azure.com:443/',
    );
  }
  if (!isEncryptedOrLocal(url)) return failure('must begin with https: (http: only for an emulator on this machine)');
  const { username, password, search, href } = url;
  return `${username}${password}${search}` === ''
    ? success(href)
    : failure('must not contain a key: set COSMOS_KEY instead');
}

/** A host name is resolved only when the server starts to listen. */
function readHost(text: string): Result<string> {
  const isName = /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text) && !/^[\d.]+$/.test(text);
  return isName || isIP(text) !== 0 ? success(text) : failure('must be an IP address or the name of a host');
}

function readPublicUrl(text: string): Result<string> {
  if (text === '') return success('');
  const url = URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (isPlain && !/[?#]/.test(text)) return success(url.href.replace(/\/$/, ''));
  return failure('must be an http or https URL without user, query or fragment');
}

/** Reads the address of tiles, a space, and the attribution that the map shows. */
function readBasemap(text: string): Result<Basemap | undefined> {
  if (text === '') return success(undefined);
  const [, tiles = '', attribution = ''] = /^(\S+)\s+(\S.*)$/.exec(text.trim()) ?? [];
  const isTemplate = ['{z}', '{x}', '{y}'].every((part) => tiles.includes(part));
  const url = URL.parse(tiles);
  // The host becomes part of the Content-Security-Policy, where a quote, a comma or a semicolon would end it.
  const isPlain =
    url !== null && /^https?:$/.test(url.protocol) && /^[\w.:[\]-]+$/.test(url.host) && url.username === '';
  if (isTemplate && isPlain) return success({ tiles, attribution });
  return failure('must be an http or https URL with {z}, {x} and {y}, then a space and the attribution');
}

/** shared/render/json-ld.ts fills in the braces. Without {id}, all things would have the same id. */
function readIdPattern(text: string): Result<string> {
  const filled = text.replaceAll(/\{(id|organization|collection)\}/g, 'x');
  const isAddress = /^https?:\/\/[^\s{}]+$/.test(filled) && URL.canParse(filled);
  if (text === '' || (isAddress && text.includes('{id}'))) return success(text);
  return failure('must be an http or https address with {id}, and optionally {organization} and {collection}');
}

/** Removes credentials from an address or a connection string. A password may contain unescaped characters. */
export function withoutCredentials(text: string): string {
  return text
    .replace(/(^\w+:\/\/).*@/, '$1')
    .replace(/\?.*/, '')
    .replaceAll(/(AccountKey|SharedAccessSignature)=[^;]*/gi, '$1=...');
}

type ReadNumber = (text: string) => Result<number>;

function numberBetween(min: number, max: number): ReadNumber {
  return (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
    const isWithin = value >= min && value <= max;
    return isWithin ? success(value) : failure(`must be a number from ${min} to ${max}`);
  };
}

function integerBetween(min: number, max: number): ReadNumber {
  return (text) => {
    const value = numberBetween(min, max)(text);
    return value.ok && !Number.isInteger(value.value) ? failure('must be a whole number') : value;
  };
}

function oneOf<Choice extends string>(...choices: readonly Choice[]): (text: string) => Result<Choice> {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text);
    return choice === undefined ? failure(`must be ${choices.join(' or ')}`) : success(choice);
  };
}

function readBoolean(text: string): Result<boolean> {
  const value = text.toLowerCase();
  return value === 'true' || value === 'false' ? success(value === 'true') : failure('must be true or false');
}

// The maximum of WORKERS. The default of the settings below, `auto`, depends on the machine.

const MAX_WORKERS = 64;

const MAX_MEGABYTES = 65_536;

/** `auto` leaves half of the cores to loads and to the system. It is 1 on a machine with few cores (ADR 0056). */
export function readWorkers(cores: number): ReadNumber {
  const automatic = cores < 4 ? 1 : Math.min(MAX_WORKERS, Math.floor(cores / 2));
  return automaticOr(automatic, 1, MAX_WORKERS);
}

/** Megabytes for the caches of searches. All columns that totals read take about 300 MB for 10,000,000 amounts. */
export function readSearchCache(memoryBytes: number): ReadNumber {
  return automaticOr(megabytesWithin(memoryBytes / 16, 128, 1024), 8, MAX_MEGABYTES);
}

/** Megabytes for cached answers. Processes do not share them, so `auto` is the same for each process (ADR 0056). */
export function readAnswerCache(workers: number): ReadNumber {
  return automaticOr(64 * workers, 0, MAX_MEGABYTES);
}

/** Megabytes for a process that loads submissions or writes release files. 10,000,000 amounts need less than 500 MB. */
export function readLoaderMemory(memoryBytes: number): ReadNumber {
  return automaticOr(megabytesWithin(memoryBytes / 2, 1024, 8192), 128, MAX_MEGABYTES);
}

function megabytesWithin(bytes: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, Math.floor(bytes / MEGABYTE)));
}

/** Returns the bytes of memory that this process may use. A container may have less memory than its machine. */
export function findUsableMemory(machineBytes: number, constrainedBytes: number): number {
  return constrainedBytes > 0 ? Math.min(machineBytes, constrainedBytes) : machineBytes;
}

function automaticOr(automatic: number, min: number, max: number): ReadNumber {
  return (text) => {
    if (text === 'auto') return success(automatic);
    const value = readInteger(text);
    if (value !== undefined && value >= min && value <= max) return success(value);
    return failure(`must be auto or a whole number from ${min} to ${max}`);
  };
}

// Settings of the loaders.

/**
 * Day and weekday must both match, as on the platform. An offset replaces the time zone, because looking up the zone
 * would take a tenth of a second at each start.
 */
export const SCHEDULE_OPTIONS = { mode: '6-part', utcOffset: 0, domAndDow: true } as const satisfies CronOptions;

/** Excludes the syntax that croner accepts and the platform does not: L, W, ? and names such as @daily. */
const SIX_FIELDS = /^([\d*,/-]+\s+){4}[\da-z*,/-]+\s+[\da-z*,/-]+$/i;

/**
 * Relative folders are relative to `baseDirectory`. The error message omits the value, which may contain a credential.
 */
export function readInboxLocation(text: string, baseDirectory: string): Result<InboxLocation> {
  if (/(^|;)AccountName=|(^|;)BlobEndpoint=/i.test(text)) return readConnection(text);
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return success({ kind: 'folder', folder: resolve(baseDirectory, text) });
  const url = URL.parse(text);
  if (url === null || !isEncryptedOrLocal(url)) {
    return failure('must be a folder or the https address of a blob container (http only on this machine)');
  }
  if (/^\/*$/.test(url.pathname)) return failure('must name a container after the address of the account');
  return success({ kind: 'container', url: text });
}

/**
 * Reads the Azure container for the files of releases (D44). The error message omits the value, which may contain a
 * credential.
 */
export function readExportsContainer(text: string): Result<ContainerLocation | undefined> {
  if (text === '') return success(undefined);
  const read = readInboxLocation(text, '/');
  if (!read.ok) return read;
  if (read.value.kind === 'folder') return failure('must be the https address of a blob container');
  if (read.value.kind === 'container' && new URL(read.value.url).searchParams.size > 0) {
    // Addresses for clients are signed with an identity or an account key. A signature in the address cannot sign other
    // addresses.
    return failure('must not have a query: the identity of the process signs the addresses for clients');
  }
  return success(read.value);
}

function readConnection(text: string): Result<ContainerLocation> {
  const parts = text.split(';').filter((part) => part !== '');
  const container = parts.find((part) => part.startsWith('Container='))?.slice('Container='.length);
  if (container === undefined || container === '') {
    return failure('must name the container after the connection string, such as ;Container=NAME');
  }
  const connectionString = parts.filter((part) => !part.startsWith('Container=')).join(';');
  return success({ kind: 'account', connectionString, container });
}

/** Credentials are sent over HTTPS only, except to an emulator on this machine. */
function isEncryptedOrLocal({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** Accepts a host with or without brackets around an IPv6 address. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/.test(host);
}

/** Reads six fields, second minute hour day month weekday, in UTC, as the platform's timers do (NCRONTAB). */
function readSchedule(text: string): Result<string> {
  try {
    if (SIX_FIELDS.test(text) && new Cron(text, { ...SCHEDULE_OPTIONS, paused: true }).nextRun() !== null) {
      return success(text);
    }
  } catch {
    // The failure below explains the problem.
  }
  return failure('must be a schedule of six fields (second minute hour day month weekday) that matches some date');
}
