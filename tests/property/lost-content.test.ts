// Everyday damage to the real submissions (D73, D74): a submission that lost a fifth of its records or places, or half
// of a column, is not published without a code. Losses are counted in the answers, not taken from the report.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createItemRandom, type SeededRandom } from '../../bench/generate/seeded-random';
import type { Report } from '../../data-loaders/format/report';
import type { DataSetKind } from '../../shared/records/data-sets';
import { everydayDamages } from '../fixtures/everyday-damages';
import { readRealFiles, realSubmissions, type SubmissionBytes, trimFiles } from '../fixtures/real-submissions';
import { chooseSeed, countCases, printInSoak } from '../fixtures/soak';
import { createTestService, type TestService } from '../fixtures/test-service';

const SEED = chooseSeed(20_261_129);
/** Cases for each submission. */
const CASES = countCases(125, 0.08);
const ROWS = 150;
const MS_PER_CASE = 20_000;
const MAX_ATTEMPTS = 20;

/** A smaller number can be checked at a glance (D74). */
const LEAST = 10;

const OPERATIONS: Readonly<Record<DataSetKind, { readonly path: string; readonly places: string }>> = {
  SiteVariableAmounts: { path: '/v1/SiteVariableAmounts', places: '/v1/Sites' },
  AggregatedAmounts: { path: '/v1/AggregatedAmounts', places: '/v1/ReportingUnits' },
  WaterAllocations: { path: '/v1/SiteAllocationAmounts', places: '/v1/Sites' },
};

const COLUMNS = [
  'Amount',
  'AllocationFlow_CFS',
  'AllocationVolume_AF',
  'PopulationServed',
  'TimeframeStart',
  'TimeframeEnd',
  'AllocationPriorityDate',
  'AllocationApplicationDate',
  'AllocationExpirationDate',
  'WaterSourceUUID',
];

/** The content of a data set that readers can see. */
interface Content {
  readonly records: number;
  readonly places: ReadonlySet<string>;
  /** Places that a map can show. */
  readonly located: number;
  /** The number of records with a value, keyed by column. */
  readonly filled: ReadonlyMap<string, number>;
}

type Members = Readonly<Record<string, unknown>>;

async function readContent(service: TestService, kind: DataSetKind): Promise<Content> {
  const { path, places } = OPERATIONS[kind];
  const records: Members[] = [];
  for (;;) {
    const { json } = await service.get(`${path}?RecordCount=1000&StartIndex=${records.length}`);
    const page = (json.Organizations as readonly Members[]).flatMap((one) => one[kind] as readonly Members[]);
    records.push(...page);
    if (page.length === 0) break;
  }
  const onMap = await service.get(`${places}?RecordCount=0&SearchBoundary=bbox:-180,-85,180,85`);
  return {
    records: records.length,
    places: new Set(records.flatMap(listPlaces)),
    located: Number(onMap.headers['X-Total-Count']),
    filled: new Map(COLUMNS.map((name) => [name, records.filter((record) => record[name] != null).length])),
  };
}

function listPlaces({ SiteUUID, ReportingUnitUUID, Sites }: Members): readonly string[] {
  const sites = (Sites ?? []) as readonly { readonly SiteUUID: string }[];
  return [SiteUUID, ReportingUnitUUID, ...sites.map((site) => site.SiteUUID)].filter((id) => typeof id === 'string');
}

/** Describes losses beyond the limits. */
function findLosses(before: Content, after: Content): readonly string[] {
  const gone = [...before.places].filter((id) => !after.places.has(id)).length;
  const columns = [...before.filled].filter(([name, count]) => {
    const left = after.filled.get(name) ?? 0;
    return count >= LEAST && count - left >= LEAST && left < count / 2;
  });
  return [
    ...(isFifth(before.records - after.records, before.records) ? ['records'] : []),
    ...(isFifth(gone, before.places.size) ? ['places'] : []),
    ...(isFifth(before.located - after.located, before.located) ? ['positions'] : []),
    ...columns.map(([name]) => name),
  ];
}

function isFifth(lost: number, of: number): boolean {
  return lost >= LEAST && lost > of * 0.2;
}

interface Damaged {
  readonly names: readonly string[];
  readonly files: SubmissionBytes;
}

/** One or two damages that change a file, because not every submission has every column. */
function damage(original: SubmissionBytes, random: SeededRandom): Damaged {
  const wanted = random.chance(0.3) ? 2 : 1;
  const names: string[] = [];
  let files = original;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && names.length < wanted; attempt++) {
    const [name, change] = random.pick([...everydayDamages]);
    const changed = change(files, random);
    if (!isSame(changed, files)) names.push(name);
    files = changed;
  }
  return { names, files };
}

function isSame(files: SubmissionBytes, others: SubmissionBytes): boolean {
  return (
    files.size === others.size && [...files].every(([name, content]) => others.get(name)?.equals(content) === true)
  );
}

async function load(service: TestService, files: SubmissionBytes): Promise<Report> {
  const folder = mkdtempSync(join(service.folder, 'damaged-'));
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  const report = await service.loadFolder(folder, { holdSubmissions: true, rejectedShareLimit: 0.1 });
  rmSync(folder, { recursive: true });
  return report;
}

describe.each(realSubmissions.map(({ folder, kind }, stream) => ({ folder, kind, stream })))(
  '$folder',
  ({ folder, kind, stream }) => {
    const service = createTestService();

    test(
      'a submission that lost much is not published without a code',
      async () => {
        const original = trimFiles(readRealFiles(folder), ROWS);
        expect((await load(service, original)).verdict).toBe('published');
        const whole = await service.store.currentState();
        const before = await readContent(service, kind);
        const lost: unknown[] = [];
        const verdicts = new Map<string, number>();
        for (let index = 0; index < CASES; index++) {
          const random = createItemRandom(SEED, stream, index);
          const { names, files: damaged } = damage(original, random);
          const { verdict, sentence } = await load(service, damaged);
          verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
          const losses = verdict === 'published' ? findLosses(before, await readContent(service, kind)) : [];
          if (losses.length > 0) lost.push({ index, names, losses, sentence });
          // Restores the state with which the next damage is compared.
          await service.store.publish((await service.store.currentState()).version, whole);
        }
        printInSoak(`${folder}: ${[...verdicts].map(([verdict, count]) => `${count} ${verdict}`).join(', ')}`);
        expect({ seed: SEED, lost }).toEqual({ seed: SEED, lost: [] });
        expect(verdicts.get('held')).toBeGreaterThan(0);
      },
      CASES * MS_PER_CASE,
    );
  },
);
