// `npm run keys`: issues, lists, rotates, limits and revokes access keys (D30), reports their use, and blocks email
// domains for self-service keys (D56).

import { type IssuedKey, makeKey } from '../shared/access/access-keys';
import { limitChain, listChain, replaceKey, revokeChain, revokeReplaced } from '../shared/access/key-chains';
import { readMailAddress } from '../shared/access/mail-address';
import { readOwnerName } from '../shared/access/owner-name';
import { blockDomain } from '../shared/access/self-service-upkeep';
import { openStore } from '../shared/open-store';
import { MAX_PER_MINUTE } from '../shared/settings';
import type { KeyLimits, KeyRecord } from '../shared/store/catalog-types';
import type { Store } from '../shared/store/port';
import type { KeyStore } from '../shared/store/service-documents';
import { readQueryDate } from '../shared/values/dates';
import { readInteger } from '../shared/values/numbers';
import { commandSettings, type ExitCode, printLine, printRefusal, printText, runCommand, UsageError } from './command';

const USAGE = `Usage: npm run keys -- issue --owner TEXT [--expires DATE] [--requests-per-minute N] [--records-per-minute N] [--metrics]
                        [--submits ORGANIZATION]
                      | list [--self-service] | block DOMAIN | rotate ID [--overlap-days N] [--expires DATE] | revoke ID [--keep-new] | usage [--json]
                      | limit ID [--requests-per-minute N|standard] [--records-per-minute N|standard]
  issue   create a key and print it alone on the last line; it is shown only once. With --metrics it may also read /metrics.
          With --submits it may send the submissions of this organization (OrganizationUUID) over HTTP
  list    list all keys: id, owner, issued, expires, own limits, revoked; with --self-service those that people created, with their email addresses
  block   stop sending email about keys to a domain and its subdomains
  rotate  replace a key: the new one has its owner, limits and (without --expires) expiry; the old one ends after the overlap (14 days)
  revoke  end a key at once, with the keys that it replaced and, without --keep-new, those that replaced it
  limit   change the limits of a key and all keys of its rotations; "standard" means the limits of the service
  usage   show the usage of each key by day (UTC): requests, records, refused requests, last used
  DATE    YYYY-MM-DD, the last day on which the key is valid (UTC)`;

const OPTIONS = {
  owner: { type: 'string' },
  expires: { type: 'string' },
  'requests-per-minute': { type: 'string' },
  'records-per-minute': { type: 'string' },
  'overlap-days': { type: 'string' },
  json: { type: 'boolean', default: false },
  metrics: { type: 'boolean', default: false },
  submits: { type: 'string' },
  'self-service': { type: 'boolean', default: false },
  'keep-new': { type: 'boolean', default: false },
} as const;

type NumberOption = 'requests-per-minute' | 'records-per-minute' | 'overlap-days';
type NumberTexts = Readonly<Partial<Record<NumberOption, string>>>;

const OVERLAP_DAYS = 14;
const MAX_OVERLAP_DAYS = 3650;
/** In characters. */
const MAX_ORGANIZATION = 250;
const MS_PER_DAY = 86_400_000;

void runCommand({ usage: USAGE, options: OPTIONS, maxOperands: 2 }, async ({ values, positionals: [command, id] }) => {
  const expires = values.expires === undefined ? undefined : readExpiry(values.expires);
  const store = openStore(commandSettings());
  try {
    if (id === undefined) {
      if (command === 'list') return await list(store.keys, values['self-service']);
      if (command === 'usage') return await printUse(store, values.json);
      if (command === 'issue') return await issue(store.keys, values, expires);
    } else {
      const days = readNumber(values, 'overlap-days', 0, MAX_OVERLAP_DAYS) ?? OVERLAP_DAYS;
      if (command === 'rotate') return await rotate(store.keys, id, days, expires);
      if (command === 'revoke') return await revoke(store, id, values['keep-new']);
      if (command === 'block') return await block(store, id);
      if (command === 'limit') return await limit(store.keys, id, values);
    }
    throw new UsageError(USAGE);
  } finally {
    await store.close();
  }
});

async function issue(
  keys: KeyStore,
  values: NumberTexts & { readonly owner?: string; readonly metrics: boolean; readonly submits?: string },
  expires?: string,
): Promise<ExitCode> {
  const { owner, metrics: mayReadMetrics } = values;
  const options = {
    mayReadMetrics,
    requestsPerMinute: readNumber(values, 'requests-per-minute', 1, MAX_PER_MINUTE),
    recordsPerMinute: readNumber(values, 'records-per-minute', 1, MAX_PER_MINUTE),
  };
  const submits = values.submits === undefined ? {} : { submits: readOrganization(values.submits) };
  const name = readOwnerName(owner ?? '');
  if (name === undefined) throw new UsageError(`--owner must name the owner of the key.\n${USAGE}`);
  const issued = makeKey(name, new Date().toISOString(), expires ?? null, { ...options, ...submits });
  await keys.add(issued.record);
  return printKey(issued);
}

async function rotate(keys: KeyStore, id: string, days: number, expiresAt?: string): Promise<ExitCode> {
  if ((await keys.find(id)) === undefined) return refuseUnknownKey(id);
  const replacement = await replaceKey(keys, id, { now: new Date(), overlapMs: days * MS_PER_DAY, expiresAt });
  switch (replacement.kind) {
    case 'ended':
      return printRefusal(`Key ${id} is no longer valid: issue a new one.`);
    case 'replaced before':
      return printRefusal(`Key ${id} was already replaced by key ${replacement.replacedBy}: rotate that key instead.`);
    case 'replaced':
      printLine(`The replaced key ${id} is valid until ${replacement.previousExpiresAt}.`);
      return printKey(replacement.issued);
  }
}

async function list(keys: KeyStore, isSelfService: boolean): Promise<ExitCode> {
  const records = (await keys.list()).filter(({ email }) => !isSelfService || email !== null);
  if (records.length === 0) printLine('No keys.');
  for (const record of records) {
    const { id, owner, issuedAt, revokedAt, replaces, mayReadMetrics, email } = record;
    const ownerText = owner === '' ? '(name deleted)' : owner;
    const parts = [
      `${id}  ${ownerText}${isSelfService && email !== null && email !== '' ? ` <${email}>` : ''}`,
      `issued ${issuedAt}`,
      describeExpiry(record),
      ...describeLimits(record),
    ];
    if (mayReadMetrics) parts.push('may read metrics');
    if (record.submits !== undefined) parts.push(`submits for ${record.submits}`);
    if (replaces !== null) parts.push(`replaces ${replaces}`);
    if (revokedAt !== null) parts.push(`revoked ${revokedAt}`);
    printLine(parts.join(', '));
  }
  return 0;
}

async function revoke({ keys, documents }: Store, id: string, keepsNew: boolean): Promise<ExitCode> {
  const now = new Date().toISOString();
  const revoked = keepsNew
    ? await revokeReplaced(keys, id, now)
    : await revokeChain(keys, listChain(await keys.list(), id), now);
  if (revoked.length === 0) return refuseUnknownKey(id);
  await documents.wipe();
  printLine(`Key ${id} is revoked.${describeOthers(revoked, id)}`);
  return 0;
}

async function block({ documents }: Store, domain: string): Promise<ExitCode> {
  if (readMailAddress(`name@${domain}`) === undefined) throw new UsageError(`"${domain}" is not a domain.\n${USAGE}`);
  await blockDomain(documents, domain);
  printLine(`Email to ${domain.toLowerCase()} and its subdomains is blocked.`);
  return 0;
}

async function limit(keys: KeyStore, id: string, values: NumberTexts): Promise<ExitCode> {
  if ((values['requests-per-minute'] ?? values['records-per-minute']) === undefined) throw new UsageError(USAGE);
  const key = await keys.find(id);
  if (key === undefined) return refuseUnknownKey(id);
  const readLimit = (option: NumberOption, previous: number | null): number | null => {
    if (values[option] === undefined) return previous;
    return values[option] === 'standard' ? null : readNumber(values, option, 1, MAX_PER_MINUTE);
  };
  const limits = {
    requestsPerMinute: readLimit('requests-per-minute', key.requestsPerMinute),
    recordsPerMinute: readLimit('records-per-minute', key.recordsPerMinute),
  };
  const limited = await limitChain(keys, listChain(await keys.list(), id), limits);
  const limitsText = describeLimits(limits).join(' and ') || 'the limits of the service';
  printLine(`Key ${id} has ${limitsText}.${describeOthers(limited, id)}`);
  return 0;
}

/** Prints the recorded use of each key by day (ADR 0043). */
async function printUse({ keys, documents }: Store, isJson: boolean): Promise<ExitCode> {
  const owners = new Map((await keys.list()).map(({ id, owner }) => [id, owner]));
  // The development key has no record and so no owner.
  const uses = (await documents.list('use')).map((use) => ({ ...use, owner: owners.get(use.keyId) ?? null }));
  const lines = uses.map((use) => {
    const keyText = use.owner === null ? use.keyId : `${use.keyId} (${use.owner})`;
    const counts = `${use.requests} requests, ${use.records} records, ${use.refused} refused, last used ${use.lastUsedAt}`;
    return `${use.day}  ${keyText}: ${counts}`;
  });
  const text = lines.join('\n') || 'No usage is recorded in this store.';
  printText(isJson ? JSON.stringify(uses) : text);
  return 0;
}

function describeLimits({ requestsPerMinute, recordsPerMinute }: KeyLimits): readonly string[] {
  return [
    ...(requestsPerMinute === null ? [] : [`${requestsPerMinute} requests per minute`]),
    ...(recordsPerMinute === null ? [] : [`${recordsPerMinute} records per minute`]),
  ];
}

/** Lists the other keys in a chain of rotations that a change affected. */
function describeOthers(ids: readonly string[], id: string): string {
  const others = ids.filter((each) => each !== id);
  return others.length === 0 ? '' : ` This also applies to the other keys of its rotations: ${others.join(', ')}.`;
}

function printKey({ key, record }: IssuedKey): ExitCode {
  printText(`Key ${record.id} for ${record.owner}, ${describeExpiry(record)}. It is shown only once:\n${key}`);
  return 0;
}

function refuseUnknownKey(id: string): ExitCode {
  return printRefusal(`There is no key ${id}.`);
}

function describeExpiry({ expiresAt }: KeyRecord): string {
  return `valid until ${expiresAt ?? 'revoked'}`;
}

/** The organization as it appears in OrganizationUUID of submissions. */
function readOrganization(text: string): string {
  const organization = text.trim();
  if (organization !== '' && organization.length <= MAX_ORGANIZATION && !/\p{C}/u.test(organization))
    return organization;
  throw new UsageError(`--submits must be the OrganizationUUID of the submissions.\n${USAGE}`);
}

function readNumber(values: NumberTexts, option: NumberOption, minimum: number, maximum: number): number | null {
  const text = values[option];
  if (text === undefined) return null;
  const value = readInteger(text);
  if (value !== undefined && value >= minimum && value <= maximum) return value;
  throw new UsageError(`--${option} must be a whole number from ${minimum} to ${maximum}.`);
}

/** The first moment after the given day. */
function readExpiry(date: string): string {
  const read = readQueryDate(date, 'MDY');
  if (!read.ok) throw new UsageError(`--expires ${read.problem}; it is "${date}".`);
  if (read.value < Math.floor(Date.now() / MS_PER_DAY)) {
    throw new UsageError(
      `--expires must be today or a later day (UTC); it is "${date}", so the key would never be valid.`,
    );
  }
  const next = new Date((read.value + 1) * MS_PER_DAY).toISOString();
  // From the year 10000 on, timestamps as strings no longer sort by time.
  if (!/^\d{4}-/.test(next)) throw new UsageError(`--expires is too far in the future: "${date}".`);
  return next;
}
