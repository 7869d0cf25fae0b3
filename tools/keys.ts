// `npm run keys`: issues, lists and revokes access keys (D30).

import { openStore } from '../shared/open-store';
import { makeKey } from '../shared/store/access-keys';
import type { KeyRecord } from '../shared/store/catalog-types';
import type { KeyStore } from '../shared/store/port';
import { readQueryDate } from '../shared/values/dates';
import { commandSettings, parseArguments, printUsage, runCommand, UsageError, type ExitCode } from './command';

const USAGE = `Usage: npm run keys -- issue --owner TEXT [--expires DATE] | list | revoke ID
  issue   makes a key and prints it, alone on the last line; it is shown only now
  list    all keys: id, owner, issued, expires, revoked
  revoke  ends a key at once
  DATE    YYYY-MM-DD, the last day on which the key is good (UTC)`;

void runCommand(async (args) => {
  const { values, positionals } = parseArguments(
    {
      args: [...args],
      allowPositionals: true,
      options: { owner: { type: 'string' }, expires: { type: 'string' }, help: { type: 'boolean' } },
    },
    USAGE,
  );
  if (values.help === true) return printUsage(USAGE);
  const [command, id, ...others] = positionals;
  const store = openStore(commandSettings());
  try {
    if (command === 'issue' && id === undefined) return await issue(store.keys, values.owner, values.expires);
    if (command === 'list' && id === undefined) return await list(store.keys);
    if (command === 'revoke' && id !== undefined && others.length === 0) return await revoke(store.keys, id);
    throw new UsageError(USAGE);
  } finally {
    await store.close();
  }
});

async function issue(keys: KeyStore, owner: string | undefined, expires: string | undefined): Promise<ExitCode> {
  if (owner === undefined || owner.trim() === '') throw new UsageError(`--owner must say whose key it is.\n${USAGE}`);
  const { key, record } = makeKey(
    owner.trim(),
    new Date().toISOString(),
    expires === undefined ? null : endOf(expires),
  );
  await keys.add(record);
  console.log(`Key ${record.id} for ${record.owner}, ${expiry(record)}. It is shown only now:`);
  console.log(key);
  return 0;
}

async function list(keys: KeyStore): Promise<ExitCode> {
  const records = await keys.list();
  if (records.length === 0) console.log('No keys.');
  for (const record of records) {
    const revoked = record.revokedAt === null ? '' : `, revoked ${record.revokedAt}`;
    console.log(`${record.id}  ${record.owner}, issued ${record.issuedAt}, ${expiry(record)}${revoked}`);
  }
  return 0;
}

async function revoke(keys: KeyStore, id: string): Promise<ExitCode> {
  if (await keys.revoke(id, new Date().toISOString())) {
    console.log(`Key ${id} is revoked.`);
    return 0;
  }
  console.error(`There is no key ${id}.`);
  return 1;
}

function expiry({ expiresAt }: KeyRecord): string {
  return expiresAt === null ? 'good until revoked' : `good until ${expiresAt}`;
}

/** The first moment after the named day. */
function endOf(date: string): string {
  const read = readQueryDate(date, 'MDY');
  if (!read.ok) throw new UsageError(`--expires ${read.problem}; it is "${date}".`);
  const next = new Date((read.value + 1) * 86_400_000).toISOString();
  // Beyond the year 9999 texts of times do not compare as times.
  if (!/^\d{4}-/.test(next)) throw new UsageError(`--expires is too far away: "${date}".`);
  return next;
}
