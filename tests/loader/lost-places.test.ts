// Holds of submissions that would remove places, positions, relations or a column from answers without removing records
// (D74).

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../data-loaders/format/report';
import { createRights, createSites, createUnits } from '../fixtures/many-amounts';
import { loadRawFiles, MERGE } from '../fixtures/raw-submission';
import { REAL_DATA } from '../fixtures/real-submissions';
import type { Row, Submission } from '../fixtures/submission';
import { getRows, withRows } from '../fixtures/submission-changes';
import { createServiceForEachTest, type LoadOptions } from '../fixtures/test-service';

const SITES = 'sites.csv';
const RIGHTS = 'waterallocations.csv';
const RELATIONS = 'podsitetopousiterelationships.csv';
const service = createServiceForEachTest();

function load(submission: Submission, options: LoadOptions = {}): Promise<Report> {
  return service().load(submission, { holdSubmissions: true, ...options });
}

function listReasons({ dataSets }: Report): readonly string[] {
  return dataSets.flatMap(({ holds }) => holds.map(({ reason }) => reason));
}

const name = (index: number): string => `S${100 + index}`;

/** This many rights, each at its own site. */
function createLocatedRights(count: number, createSite: (index: number) => Row = () => ({})): Submission {
  const rights = createRights(count, (index) => ({ SiteUUID: name(index) }));
  const [site] = getRows(rights, SITES);
  const sites = Array.from({ length: count }, (_, index) => {
    return { ...site, SiteUUID: name(index), WaterSourceUUIDs: '', ...createSite(index) };
  });
  return { ...withRows(rights, SITES, sites), [RELATIONS]: [] };
}

const keepSites = (submission: Submission, count: number): Submission =>
  withRows(submission, SITES, getRows(submission, SITES).slice(0, count));

describe('places of rights', () => {
  test('are reported as gone if sites.csv was cut off', async () => {
    await load(createLocatedRights(24));
    const report = await load(keepSites(createLocatedRights(24), 8));
    expect(report.verdict).toBe('held');
    expect(listReasons(report)).toEqual(['column-unreadable', 'place-links-gone', 'places-gone']);
    const [, links, places] = report.dataSets[0]?.holds ?? [];
    expect(links).toMatchObject({ count: 16, of: 24 });
    expect(links?.examples[0]).toMatchObject({ member: 'Sites', before: 1, after: 0 });
    expect(places).toMatchObject({ count: 16, of: 24 });
    expect(places?.examples[0]?.identity).toEqual({ SiteUUID: 'S108' });
    const { confirmationCode } = report;
    const confirmed = { confirmationCode: confirmationCode ?? '' };
    expect((await load(keepSites(createLocatedRights(24), 8), confirmed)).verdict).toBe('published');
  });

  test.each([
    ['a few sites are gone', 40, 31, []],
    ['a fifth of many sites is gone', 60, 48, []],
    ['more than a fifth of the sites is gone', 60, 47, ['place-links-gone', 'places-gone']],
    ['most of a few sites are gone, but fewer than ten', 12, 3, ['column-unreadable']],
  ])('are compared: %s', async (_, before, after, reasons) => {
    await load(createLocatedRights(before));
    const report = await load(keepSites(createLocatedRights(before), after), { isDryRun: true });
    expect(listReasons(report)).toEqual(reasons);
    expect(report.verdict).toBe(reasons.length === 0 ? 'would-publish' : 'would-be-held');
  });

  test('are reported as gone if the column SiteUUID is empty', async () => {
    await load(createLocatedRights(24));
    const rights = createLocatedRights(24);
    const emptied = getRows(rights, RIGHTS).map((row, index) => (index < 10 ? { ...row, SiteUUID: '' } : row));
    expect(listReasons(await load(withRows(rights, RIGHTS, emptied)))).toEqual(['place-links-gone', 'places-gone']);
  });

  test('are reported as gone if all of them were renamed', async () => {
    await load(createLocatedRights(24));
    const text = JSON.stringify(createLocatedRights(24)).replaceAll('"S1', '"T1');
    const renamed = JSON.parse(text) as Submission; // The replacement changes only identifiers.
    expect(listReasons(await load(renamed))).toEqual(['places-gone']);
  });

  test('may be gone together with rights that a merge deletes', async () => {
    await load(createLocatedRights(24));
    const all = createLocatedRights(24);
    const deleted = getRows(all, RIGHTS).map((row) => ({ ...row, Delete: 'yes' }));
    const report = await loadRawFiles(service(), withRows(all, RIGHTS, deleted.slice(0, 20)), MERGE, {
      holdSubmissions: true,
    });
    expect(report).toMatchObject({ verdict: 'published', dataSets: [{ records: 4 }] });
  });

  test('are reported as gone if a real submission lacks sites.csv', async () => {
    const submission = join(REAL_DATA, 'OK-allocations-caddo');
    const damaged = mkdtempSync(join(service().folder, 'damaged-'));
    cpSync(submission, damaged, { recursive: true });
    rmSync(join(damaged, SITES));
    const options = { holdSubmissions: true };
    const first = await service().loadFolder(damaged, options);
    expect(listReasons(first)).toEqual(['column-unreadable']);
    expect(first.sentence).toContain('No SiteUUID');
    await service().loadFolder(submission, options);
    const second = await service().loadFolder(damaged, options);
    expect(listReasons(second)).toEqual(['column-unreadable', 'place-links-gone', 'places-gone']);
  });
});

describe('positions of remaining places', () => {
  const POINT: Row = { Longitude: '-111.5', Latitude: '40.5', Geometry: 'POINT (-111.5 40.5)' };

  test.each([
    ['coordinates', { Longitude: '', Latitude: '' }, ['positions-gone']],
    ['geometries', { Geometry: '' }, ['positions-gone']],
    ['coordinates and geometries', { Longitude: '', Latitude: '', Geometry: '' }, ['positions-gone', 'positions-gone']],
    ['nothing', {}, []],
  ])('are reported as gone if %s became empty', async (_, cells: Row, reasons) => {
    await load(createSites(24, () => POINT));
    const report = await load(createSites(24, (index) => (index < 10 ? { ...POINT, ...cells } : POINT)));
    expect(listReasons(report)).toEqual(reasons);
  });

  test('are reported as gone if geometries of reporting units became empty', async () => {
    const Geometry = 'POLYGON ((-111 40, -110 40, -110 41, -111 40))';
    await load(createUnits(24, () => ({ Geometry })));
    const report = await load(createUnits(24, (index) => ({ Geometry: index < 10 ? '' : Geometry })));
    expect(report.dataSets[0]?.holds).toMatchObject([{ reason: 'positions-gone', count: 10, of: 24 }]);
  });
});

describe('relations between remaining sites', () => {
  const relations = (count: number): readonly Row[] =>
    Array.from({ length: count }, (_, index) => ({ PODSiteUUID: name(index), POUSiteUUID: name(index + 12) }));
  const withRelations = (count: number): Submission => withRows(createLocatedRights(24), RELATIONS, relations(count));

  test.each([
    ['all relations are there', 12, []],
    ['nearly all relations are there', 10, []],
    ['some relations are gone', 6, ['place-links-gone']],
  ])('are compared: %s', async (_, count, reasons) => {
    await load(withRelations(12));
    expect(listReasons(await load(withRelations(count)))).toEqual(reasons);
  });

  test('may be deleted by a merge', async () => {
    await load(withRelations(12));
    const deleted = relations(12).map((row) => ({ ...row, Delete: 'yes' }));
    const report = await loadRawFiles(service(), withRows(withRelations(0), RELATIONS, deleted), MERGE, {
      holdSubmissions: true,
    });
    expect(report.verdict).toBe('published');
  });
});

describe('a column of a first submission', () => {
  test.each([
    ['AllocationVolume_AF', '12 af', 12, true],
    ['AllocationFlow_CFS', '3 cfs', 12, true],
    ['AllocationPriorityDate', 'long ago', 12, true],
    ['IrrigatedAcreage', 'many', 12, true],
    ['ExemptOfVolumeFlowPriority', 'perhaps', 12, true],
    ['SiteUUID', 'nowhere', 12, true],
    ['WaterSourceUUID', 'nowhere', 12, true],
    ['AllocationVolume_AF', '12 af', 7, true],
    ['AllocationVolume_AF', '12 af', 6, false],
    ['AllocationVolume_AF', 'N/A', 12, false],
    ['AllocationVolume_AF', '', 12, false],
  ])('with %s as "%s" in %i of 12 rows is held: %p', async (column, text, count, isHeld) => {
    const report = await load(
      createRights(12, (index) => (index < count ? { [column]: text } : { [column]: GOOD_CELLS[column] ?? '' })),
    );
    expect(listReasons(report)).toEqual(isHeld ? ['column-unreadable'] : []);
    if (!isHeld) return;
    expect(report.sentence).toContain(column);
    expect(report.dataSets[0]?.holds[0]).toMatchObject({ count, of: 12 });
    expect(report.dataSets[0]?.holds[0]?.examples[0]).toMatchObject({
      identity: { File: RIGHTS, Line: '2' },
      member: column,
      before: expect.stringContaining(text),
    });
  });

  test('of few rows is named in the first line of the report', async () => {
    const report = await load(createRights(3, () => ({ AllocationVolume_AF: '12 af' })));
    expect(report.verdict).toBe('published');
    expect(report.sentence).toContain('No AllocationVolume_AF could be read');
  });

  test('is a reason to hold each data set that uses the lookups', async () => {
    const sites = createSites(12, () => ({ HUC8: '1.1E7' }));
    expect((await load(sites)).dataSets[0]?.holds).toMatchObject([{ reason: 'column-unreadable', of: 12 }]);
  });
});

test.each([
  [2, 2, []],
  [3, 3, ['positions-unusable']],
  [9, 8, []],
  [9, 9, ['positions-unusable']],
])(
  '%i places, %i with unusable positions: the reasons to hold the submission are %j',
  async (count, unusable, reasons) => {
    const wrong = createSites(count, (index) => (index < unusable ? { Longitude: 'west' } : {}));
    expect(listReasons(await load(wrong))).toEqual(reasons);
  },
);

const GOOD_CELLS: Row = { AllocationVolume_AF: '12' };
