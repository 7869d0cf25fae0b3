// Health (docs/operating/health.md): whether the store and all current releases can be read, and what is published.

import { readProgramVersion } from '../../project-files';
import {
  count,
  createObjectWriter,
  listMember,
  moment,
  objectMember,
  type ObjectValue,
  requiredBoolean,
  requiredCount,
  requiredMoment,
  requiredText,
  withDescription,
} from '../../records/object-definition';
import type { CatalogEntry } from '../../store/catalog-types';
import { awaitWithTimeout } from '../../store/deadline';
import type { Store } from '../../store/port';
import { describeUnreadable, ReadableReleases, type UnreadableEntry } from '../../store/readable-releases';
import type { FinishedTick } from './metrics';

/** A result is reused for this long, so that frequent probes put no load on the store. */
const VALID_MS = 1000;

/** A store that does not answer within this time counts as unreadable, because a probe gives up after a few seconds. */
const PATIENCE_MS = 5000;

/**
 * If checking the releases takes longer than this, the check continues in the background and the probe gets the
 * previous result.
 */
const CHECK_MS = 4000;

/** How long the result of the last complete check is used while a new check runs. */
const KNOWN_MS = 60_000;

/** If ready, the health document. If not, the entries that cannot be read; an empty list if nothing can be read. */
export type Health =
  | { readonly kind: 'ready'; readonly document: string; readonly dataVersion: string }
  | { readonly kind: 'not ready'; readonly unreadable: readonly UnreadableEntry[] };

interface HealthContext {
  readonly store: Store;
  readonly now: () => Date;
  readonly logError: (message: string, error: unknown) => void;
  readonly health: HealthMemory;
}

export type TimerState = ObjectValue<typeof timerMembers>;

/** The outcomes of the last run of each timer. */
export class TimerMemory {
  private readonly timers = new Map<string, TimerState>();

  recordTick({ name, at, outcome: lastTick }: Pick<FinishedTick, 'name' | 'at' | 'outcome'>): void {
    const failedTicks = (this.timers.get(name)?.failedTicks ?? 0) + (lastTick === 'failed' ? 1 : 0);
    this.timers.set(name, { name, lastTickAt: at.toISOString(), lastTick, failedTicks });
  }

  /** Replaces the outcomes with those that another process has recorded. */
  replace(timers: readonly TimerState[]): void {
    for (const timer of timers) this.timers.set(timer.name, timer);
  }

  list(): readonly TimerState[] {
    return [...this.timers.values()];
  }
}

/** The last health result, the releases that were readable, and the outcomes of the timers. */
export class HealthMemory {
  readonly programVersion = readProgramVersion();
  readonly timers = new TimerMemory();
  readonly releases = new ReadableReleases();
  /** When the last check that found all releases readable took place, in milliseconds. */
  private readableAt = -Infinity;
  private last: { readonly at: number; readonly health: Promise<Health> } | undefined;

  /** Calls `check` unless the last result is still valid. `at` is in milliseconds. */
  getHealth(at: number, check: () => Promise<Health>): Promise<Health> {
    if (this.last === undefined || Math.abs(at - this.last.at) >= VALID_MS) this.last = { at, health: check() };
    return this.last.health;
  }

  recordReadable(at: number): void {
    this.readableAt = at;
  }

  /** Whether all releases were readable within the last KNOWN_MS. */
  wasReadable(at: number): boolean {
    return Math.abs(at - this.readableAt) < KNOWN_MS;
  }
}

const timerMembers = {
  name: withDescription(requiredText, 'TakeInSubmissions, MakeFiles, SendMails or Janitor.'),
  lastTickAt: withDescription(requiredMoment, 'When the last run ended (ISO 8601, UTC).'),
  lastTick: withDescription(requiredText, 'The outcome of the last run: done or failed.'),
  failedTicks: withDescription(requiredCount, 'Failed runs since the process started.'),
};

const heldMembers = {
  organizationUuid: withDescription(requiredText, 'The organization that submitted it.'),
  dataSet: withDescription(requiredText, 'The data set that would have been published.'),
  heldAt: withDescription(requiredMoment, 'When it was held (ISO 8601, UTC).'),
  reasons: withDescription(listMember(requiredText), 'The reasons, as named in its report.'),
};

const notReadMembers = {
  reason: withDescription(
    requiredText,
    'Why: link, archive, workbook, loose-file, no-marker, empty-folder, several-folders, outside-waiting or other.',
  ),
  since: withDescription(requiredMoment, 'When it was first seen (ISO 8601, UTC).'),
};

export const healthMembers = {
  status: withDescription(requiredText, 'Always ready; a service that is not ready answers 503.'),
  programVersion: withDescription(requiredText, 'Version of the program.'),
  dataVersion: withDescription(requiredText, 'Version of the data, as in the header Data-Version.'),
  dataSets: withDescription(requiredCount, 'Number of published data sets.'),
  records: withDescription(requiredCount, 'Number of records in these data sets.'),
  samples: withDescription(requiredBoolean, 'Whether any of the data sets is a sample.'),
  newestPublishedAt: withDescription(
    moment,
    'When the newest data set was published (ISO 8601, UTC); null if nothing is published.',
  ),
  newestAgeSeconds: withDescription(count, 'Seconds since the newest data set was published.'),
  held: withDescription(
    listMember(objectMember(heldMembers)),
    'Data sets with a submission that waits for confirmation.',
  ),
  notRead: withDescription(
    listMember(objectMember(notReadMembers)),
    'Inbox entries that are not processed. The log and a note next to each entry say what to do.',
  ),
  timers: withDescription(
    listMember(objectMember(timerMembers)),
    'The timers of this process that have completed a run.',
  ),
};

const write = createObjectWriter(healthMembers);

/** Never rejects, even if the store fails or hangs. */
export function checkHealth(context: HealthContext): Promise<Health> {
  return context.health.getHealth(context.now().getTime(), () => readHealthInTime(context));
}

async function readHealthInTime(context: HealthContext): Promise<Health> {
  try {
    const late = (): Error => new Error(`the store did not answer in ${PATIENCE_MS} ms`);
    return await awaitWithTimeout(readHealth(context), PATIENCE_MS, late);
  } catch (error) {
    context.logError('the store cannot be read', error);
    return { kind: 'not ready', unreadable: [] };
  }
}

async function readHealth(context: HealthContext): Promise<Health> {
  const { store, now, logError, health: memory } = context;
  const [state, { held, notRead }] = await Promise.all([store.currentState(), store.held.readAll()]);
  const unreadable = await findUnreadableInTime(state.entries, context);
  if (unreadable.length > 0) {
    const causes = unreadable.flatMap(({ fault }) => fault.cause ?? []);
    logError(`not ready: ${unreadable.map(describeUnreadable).join('; ')}`, causes);
    return { kind: 'not ready', unreadable };
  }
  const newest =
    state.entries
      .map(({ publishedAt }) => publishedAt)
      .sort()
      .at(-1) ?? null;
  // The clocks of loader and service may differ, so the age is at least 0.
  const age = newest === null ? null : Math.max(0, Math.floor((now().getTime() - Date.parse(newest)) / 1000));
  const document = write({
    status: 'ready',
    programVersion: memory.programVersion,
    dataVersion: state.version,
    dataSets: state.entries.length,
    records: state.entries.reduce((sum, { records }) => sum + records, 0),
    samples: state.entries.some(({ isSample }) => isSample),
    newestPublishedAt: newest,
    newestAgeSeconds: age,
    // Omits the confirmation code and the folder's name, because anyone may request this document.
    held: held.map(({ organizationUuid, dataSet, heldAt, reasons }) => ({
      organizationUuid,
      dataSet,
      heldAt,
      reasons,
    })),
    // Omits the names of the files, for the same reason.
    notRead: notRead.map(({ reason, since }) => ({ reason, since })),
    timers: memory.timers.list(),
  });
  return { kind: 'ready', document, dataVersion: state.version };
}

/**
 * Finds the unreadable releases. Returns none if the check takes too long and all releases were readable a moment ago.
 */
async function findUnreadableInTime(
  entries: readonly CatalogEntry[],
  { store, now, health: memory }: HealthContext,
): Promise<readonly UnreadableEntry[]> {
  const startedAt = now().getTime();
  const check = memory.releases.findUnreadable(store, entries).then((unreadable) => {
    if (unreadable.length === 0) memory.recordReadable(startedAt);
    return unreadable;
  });
  if (!memory.wasReadable(startedAt)) return check;
  try {
    return await awaitWithTimeout(check, CHECK_MS, () => new UnfinishedCheckError());
  } catch (error) {
    if (error instanceof UnfinishedCheckError) return [];
    throw error;
  }
}

class UnfinishedCheckError extends Error {}
