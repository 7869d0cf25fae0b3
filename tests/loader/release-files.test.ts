// The files of a release (D44) equal the answers of the operations, record by record, and always have the same bytes.

import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { tidyUp } from '../../data-loaders/intake/tidy-up';
import { withdraw } from '../../data-loaders/manage-releases';
import { makeMissingFiles } from '../../data-loaders/publish/make-files';
import { SILENT } from '../../data-loaders/stage/progress';
import { dataSetLayouts } from '../../shared/records/data-sets';
import { buildRecordKey } from '../../shared/records/feature-ids';
import type { Item } from '../../shared/records/record-references';
import { writeListCell } from '../../shared/render/write-csv';
import { DOWNLOAD_NAMES } from '../../shared/store/download-files';
import { LocalDownloads } from '../../shared/store/local-downloads';
import { backUp, restore } from '../../shared/store/sqlite/backup';
import { digestContent } from '../../shared/values/digest';
import { damageRelease } from '../fixtures/changed-releases';
import { readParquet } from '../fixtures/parquet-reading';
import { readPlainCsv } from '../fixtures/plain-csv';
import { OPERATIONS } from '../fixtures/plain-search';
import { loadRawFiles } from '../fixtures/raw-submission';
import {
  readRealFiles,
  REAL_DATA,
  type RealSubmission,
  realSubmissions,
  trimFiles,
} from '../fixtures/real-submissions';
import { aggregatedSubmission, allocationsSubmission, siteAmountsSubmission } from '../fixtures/submission';
import { withCells } from '../fixtures/submission-changes';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { createServiceMaker, TEST_NOW, type TestService } from '../fixtures/test-service';

const folder = createTemporaryFolder();
const newService = createServiceMaker();

/** Writes the missing files. Returns the names of the releases that got files. */
async function makeFiles(service: TestService): Promise<readonly string[]> {
  return (await service.makeFiles()).map(({ releaseId }) => releaseId);
}

/** The files of the only release, keyed by name. */
async function madeFiles(service: TestService): Promise<ReadonlyMap<string, Buffer>> {
  const [releaseId = ''] = await makeFiles(service);
  const place = join(service.folder, 'data', 'downloads', releaseId);
  return new Map(DOWNLOAD_NAMES.map((name) => [name, readFileSync(join(place, name))]));
}

/** Large files are compared by their digests, because jest compares bytes one by one, which takes seconds. */
async function digestsOfFiles(service: TestService): Promise<ReadonlyMap<string, string>> {
  return new Map([...(await madeFiles(service))].map(([name, content]) => [name, hash('sha256', content)]));
}

/** A folder with a part of the submission. */
function getFilePart(name: string): string {
  const part = mkdtempSync(join(folder, 'part-'));
  for (const [file, content] of trimFiles(readRealFiles(name), 60)) writeFileSync(join(part, file), content);
  return part;
}

/** All rows of the CSV format, page by page, with the header. */
async function walkCsv(service: TestService, path: string): Promise<readonly string[]> {
  const pages: string[] = [];
  for (let start = 0; ; start += 1000) {
    const { text, headers } = await service.get(`${path}?format=csv&StartIndex=${start}&RecordCount=1000`);
    pages.push(start === 0 ? text : text.slice(text.indexOf('\r\n') + 2));
    if (start + 1000 >= Number(headers['X-Total-Count'])) return pages;
  }
}

/** A value as the CSV format writes it, without quotes and without the apostrophe before formulas. */
function plainCell(value: unknown, isDay: boolean): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return isDay ? value.toISOString().slice(0, 10) : value.toISOString().slice(0, 19);
  if (Array.isArray(value))
    return writeListCell(value)
      .replace(/^"(.*)"$/s, '$1')
      .replaceAll('""', '"');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function withoutApostrophe(cell: string): string {
  return cell.replace(/^'/, '');
}

describe.each(realSubmissions)('the real submission $folder', ({ folder: name, kind }: RealSubmission) => {
  let service: TestService;
  let files: ReadonlyMap<string, Buffer>;

  beforeAll(async () => {
    service = newService();
    await service.loadFolder(join(REAL_DATA, name));
    files = await madeFiles(service);
  });

  test('records.csv.gz is the CSV of all records in one reproducible gzip member', async () => {
    const content = files.get('records.csv.gz') ?? Buffer.alloc(0);
    expect(gunzipSync(content).toString() === (await walkCsv(service, OPERATIONS[kind])).join('')).toBe(true);
    expect([...content.subarray(4, 8), content[9]]).toEqual([0, 0, 0, 0, 255]);
  });

  test('records.parquet has the rows of the CSV form, in their order, with types', async () => {
    const { metadata, rows } = await readParquet(files.get('records.parquet'));
    const table = readPlainCsv(Buffer.from((await walkCsv(service, OPERATIONS[kind])).join('')));
    expect(rows).toHaveLength(table.rows.length);
    const names = table.header.cells;
    expect(Object.keys(rows[0] ?? {})).toEqual([...names, 'Key']);
    const days = new Set(
      metadata.schema.filter(({ logical_type: type }) => type?.type === 'DATE').map((one) => one.name),
    );
    for (const [index, row] of rows.entries()) {
      const { Key, ...values } = row;
      if (!/^[0-9a-f]{32}$/.test(String(Key))) throw new Error(`row ${index} has the key ${String(Key)}`);
      for (const [at, column] of names.entries()) {
        const cell = table.rows[index]?.cells?.[at] ?? 'no cell';
        const expected = days.has(column) ? cell.slice(0, 10) : cell;
        const found = plainCell(values[column], days.has(column));
        if (withoutApostrophe(found) !== withoutApostrophe(expected)) {
          throw new Error(`row ${index} ${column}: ${found} instead of ${expected}`);
        }
      }
    }
    expect(new Set(rows.map(({ Key }) => Key)).size).toBe(rows.length);
    const { json } = await service.get(`${OPERATIONS[kind]}?RecordCount=300`);
    const [organization] = json.Organizations;
    const keys = organization[kind].map((record: Item) =>
      digestContent(buildRecordKey(dataSetLayouts[kind], organization.OrganizationUUID, record)),
    );
    expect(rows.slice(0, 300).map(({ Key }) => Key)).toEqual(keys);
  });

  test('places.parquet is GeoParquet of the places, with boxes that contain their geometries', async () => {
    const { values, rows } = await readParquet(files.get('places.parquet'));
    const geo = JSON.parse(values['geo'] ?? '');
    expect([geo.version, geo.primary_column]).toEqual(['1.1.0', 'geometry']);
    const { encoding, bbox, covering, crs } = geo.columns.geometry;
    expect([encoding, crs.id.code, covering.bbox.xmin]).toEqual(['WKB', 'CRS84', ['bbox', 'xmin']]);
    const boxes = rows.map(({ bbox: box }) => box as { readonly xmin: number } | null).filter((box) => box !== null);
    const west = boxes.reduce((least, { xmin }) => Math.min(least, xmin), Infinity);
    expect(boxes.length === 0 ? undefined : west).toBe(bbox?.[0]);
    expect(rows.filter(({ geometry }) => geometry === null)).toHaveLength(rows.length - boxes.length);
    const identifier = kind === 'AggregatedAmounts' ? 'ReportingUnitUUID' : 'SiteUUID';
    const records = await readParquet(files.get('records.parquet'));
    const named = new Set(records.rows.flatMap((row) => row[identifier] as string | readonly string[] | null));
    const there = new Set(rows.map((row) => row[identifier]));
    expect([...named].filter((one) => one !== null && !there.has(one))).toEqual([]);
  });

  test('the same release has the same bytes in another store', async () => {
    const part = getFilePart(name);
    const one = newService();
    const other = newService();
    for (const each of [one, other]) await each.loadFolder(part);
    expect(await digestsOfFiles(other)).toEqual(await digestsOfFiles(one));
  });
});

test('columns have the types of D44', async () => {
  const service = newService();
  await service.load(allocationsSubmission);
  const { metadata } = await readParquet((await madeFiles(service)).get('records.parquet'));
  const getColumnType = (name: string): unknown => {
    const element = metadata.schema.find((one) => one.name === name);
    return element?.logical_type?.type ?? element?.type;
  };
  expect(getColumnType('AllocationPriorityDate')).toBe('DATE');
  expect(getColumnType('DataPublicationDate')).toBe('TIMESTAMP');
  expect(getColumnType('AllocationFlow_CFS')).toBe('DOUBLE');
  expect(getColumnType('ExemptOfVolumeFlowPriority')).toBe('BOOLEAN');
  expect(getColumnType('SiteUUID')).toBe('LIST');
  expect(getColumnType('TimeframeStart')).toBe('STRING');
});

test('Parquet files contain their description and terms of use', async () => {
  const service = newService();
  const terms = { termsOfUse: 'Provisional', license: 'https://example.org/1', citation: 'Office (2026)' };
  const load = (metadata: object): Promise<unknown> =>
    loadRawFiles(service, siteAmountsSubmission, { 'submission.json': JSON.stringify(metadata) });
  await load({ ...terms, contact: 'data@example.org', note: 'first' });
  const earlierFiles = await madeFiles(service);
  for (const name of ['records.parquet', 'places.parquet']) {
    const { values } = await readParquet(earlierFiles.get(name));
    const title = 'SiteVariableAmounts of Office of Water';
    expect(values).toMatchObject({ ...terms, title, contact: 'data@example.org', dataSet: 'SiteVariableAmounts' });
    expect(values).not.toHaveProperty('note');
    expect(JSON.parse(values['organization'] ?? '')).toMatchObject({ OrganizationUUID: 'ORG_1' });
  }
  const columns = JSON.parse(
    (await readParquet(earlierFiles.get('records.parquet'))).values['columns'] ?? '',
  ) as object;
  expect(columns).toHaveProperty('Amount', expect.stringContaining('AmountUnitCV'));
  await load({ citation: 'Office (2027)' });
  const { values } = await readParquet((await madeFiles(service)).get('records.parquet'));
  expect(values['citation']).toBe('Office (2027)');
  expect(values).not.toHaveProperty('license');
});

test('texts that look like formulas are not changed, even inside lists', async () => {
  const service = newService();
  await service.load(withCells(allocationsSubmission, 'waterallocations.csv', 0, { AllocationOwner: '=1+1' }));
  const { rows } = await readParquet((await madeFiles(service)).get('records.parquet'));
  expect(rows.map((row) => row['AllocationOwner'])).toContain('=1+1');
});

test('interrupted files leave nothing behind and are written by the next run', async () => {
  const service = newService();
  await service.load(siteAmountsSubmission);
  const files = service.service.downloads;
  expect(await makeMissingFiles({ store: service.store, files, progress: SILENT, shouldStop: () => true })).toEqual([]);
  expect(readdirSync(join(service.folder, 'data', 'downloads'))).toEqual([]);
  expect(await makeFiles(service)).toHaveLength(1);
  expect(await makeFiles(service)).toEqual([]);
});

test('an unreadable release is skipped', async () => {
  const service = newService();
  const lost = await service.load(siteAmountsSubmission);
  await service.load(aggregatedSubmission);
  damageRelease(service.folder, lost);
  const made = await makeFiles(newService(service.folder));
  expect(made).toHaveLength(1);
  expect(made).not.toContain(lost.dataSets[0]?.releaseId);
});

test('files are deleted with their release, and are part of a backup', async () => {
  const service = newService();
  await service.load(siteAmountsSubmission);
  const [releaseId = ''] = await makeFiles(service);
  const copy = join(service.folder, 'copy');
  const restored = join(service.folder, 'restored');
  expect(backUp(join(service.folder, 'data'), copy, () => undefined)).toMatchObject({ ok: true });
  expect(restore(copy, restored, () => undefined)).toMatchObject({ ok: true });
  expect(await new LocalDownloads(restored).find(releaseId)).toEqual(await service.service.downloads.find(releaseId));
  expect(statSync(join(restored, 'downloads', releaseId, 'records.parquet')).size).toBeGreaterThan(0);
  await withdraw(service.store, { organizationUuid: 'ORG_1', dataSet: 'SiteVariableAmounts' }, TEST_NOW.toISOString());
  const later = new Date(TEST_NOW.getTime() + 90 * 86_400_000);
  const stagingDirectory = join(service.folder, 'staging');
  const input = {
    store: service.store,
    stagingDirectory,
    files: service.service.downloads,
    retentionDays: 30,
    log: () => undefined,
  };
  await tidyUp({ ...input, now: () => later });
  expect(await service.service.downloads.list()).toEqual([releaseId]);
  await tidyUp({ ...input, now: () => later });
  expect(await service.service.downloads.list()).toEqual([]);
});
