// Health (docs/operating.md): whether the store can be read, and what is published in it. Needs no key and is no search: one
// reading of the pointer and one release opened, and that at most once a second.

import { programVersion } from '../project-files';
import {
  described,
  number,
  objectWriter,
  requiredNumber,
  requiredText,
  text,
  type Member,
  type ObjectOf,
} from '../records/object-definition';
import type { CatalogEntry, CatalogState } from '../store/catalog-types';
import { NOT_READY } from './problem';
import type { Outcome } from './respond';
import type { Service } from './service';

/** An answer stands for this long, so that frequent probes cost a store nothing. */
const KEPT_MS = 1000;

/** A store that takes longer is as good as none: a probe gives up after a few seconds itself. */
const PATIENCE_MS = 5000;

const isSample: Member<boolean> = { schema: { type: 'boolean', description: 'Whether they are samples.' } };

export const healthMembers = {
  status: described(requiredText, 'Always ready: a service that is not answers 503.'),
  programVersion: described(requiredText, 'Version of the program.'),
  dataVersion: described(requiredText, 'Version of the data, as in the header Data-Version.'),
  dataSets: described(requiredNumber, 'How many data sets are published.'),
  records: described(requiredNumber, 'How many records they have.'),
  samples: isSample,
  newestPublishedAt: described(text, 'When the newest was published (ISO 8601, UTC); null when nothing is.'),
  newestAgeSeconds: described(number, 'How many seconds ago that was.'),
};

const write = objectWriter(healthMembers);

interface Check {
  readonly at: number;
  readonly outcome: Promise<Outcome>;
}

const lastChecks = new WeakMap<Service, Check>();

/** 200 or 503, also when the store fails or hangs. */
export function checkHealth(service: Service): Promise<Outcome> {
  const at = service.now().getTime();
  const last = lastChecks.get(service);
  if (last !== undefined && Math.abs(at - last.at) < KEPT_MS) return last.outcome;
  const outcome = check(service);
  lastChecks.set(service, { at, outcome });
  return outcome;
}

async function check(service: Service): Promise<Outcome> {
  let impatience: NodeJS.Timeout | undefined;
  const hangs = new Promise<never>((_, reject) => {
    impatience = setTimeout(() => {
      reject(new Error(`the store did not answer in ${PATIENCE_MS} ms`));
    }, PATIENCE_MS);
  });
  try {
    return await Promise.race([readHealth(service), hangs]);
  } catch (error) {
    service.logError('the store cannot be read', error);
    return { problem: NOT_READY };
  } finally {
    clearTimeout(impatience);
  }
}

async function readHealth({ store, now }: Service): Promise<Outcome> {
  const state = await store.currentState();
  const newest = newestOf(state);
  if (newest !== undefined && (await store.openRelease(newest.releaseId)) === undefined) {
    throw new Error(`release ${newest.releaseId} is published but not there`);
  }
  const health: ObjectOf<typeof healthMembers> = {
    status: 'ready',
    programVersion: programVersion(),
    dataVersion: state.version,
    dataSets: state.entries.length,
    records: state.entries.reduce((sum, { records }) => sum + records, 0),
    samples: state.entries.some(({ isSample }) => isSample),
    newestPublishedAt: newest?.publishedAt ?? null,
    newestAgeSeconds: newest === undefined ? null : secondsBetween(newest.publishedAt, now()),
  };
  return {
    body: Buffer.from(write(health)),
    contentType: 'application/json',
    headers: { 'Data-Version': state.version, 'Cache-Control': 'no-store' },
  };
}

function newestOf({ entries }: CatalogState): CatalogEntry | undefined {
  return entries.reduce<CatalogEntry | undefined>(
    (newest, entry) => (newest === undefined || entry.publishedAt > newest.publishedAt ? entry : newest),
    undefined,
  );
}

/** Whole; zero when the clocks of loader and service disagree. */
function secondsBetween(publishedAt: string, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(publishedAt)) / 1000));
}
