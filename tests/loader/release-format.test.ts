// Guards the release format that FORMAT_VERSION numbers. A release of each kind is written with a value for every
// filter field, and its whole stored content is compared with a recorded digest. If it differs on purpose, raise
// FORMAT_VERSION, so that older releases are refused until `npm run releases -- rebuild` has rebuilt them.

import type { DataSetFilterField, FilterField } from '../../shared/query/filter-fields';
import type { DataSetKind } from '../../shared/records/data-sets';
import { listArtifactNames } from '../../shared/store/artifacts';
import { FORMAT_VERSION, type ReleasePart, type ReleaseReader } from '../../shared/store/port';
import { digestContent } from '../../shared/values/digest';
import { aggregatedAmount, allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const ofAll = { use: true, usgsCategory: true, useCategory: true, state: true } as const;
const ofPlaces = { huc8: true, placeState: true, placeCounty: true } as const;
const ofSites = {
  site: true,
  siteType: true,
  huc12: true,
  county: true,
  podOrPou: true,
  waterSourceType: true,
} as const;

/** A new filter field does not compile until it is listed here. */
const FIELDS: { readonly [Kind in DataSetKind]: Readonly<Record<DataSetFilterField<Kind>, true>> } = {
  SiteVariableAmounts: { ...ofAll, ...ofPlaces, ...ofSites, variable: true, variableSpecific: true },
  AggregatedAmounts: {
    ...ofAll,
    ...ofPlaces,
    variable: true,
    variableSpecific: true,
    reportingUnit: true,
    reportingUnitType: true,
  },
  WaterAllocations: {
    ...ofAll,
    ...ofPlaces,
    ...ofSites,
    allocationUuid: true,
    allocationNativeId: true,
    waterSource: true,
    legalStatus: true,
    allocationType: true,
    ownerClass: true,
    exempt: true,
  },
};

const site = { SiteTypeCV: 'Stream Gage', HUC8: '16010101', HUC12: '160101010101', County: 'Cache', StateCV: 'UT' };
const dated = { BeneficialUseCategory: 'Irrigation', DataPublicationDate: '2020-02-03' };
const timeframe = { TimeframeStart: '2015-06-01', TimeframeEnd: '2015-06-30' };

const submission = {
  ...buildLookups(),
  'beneficialuses.csv': [{ BeneficialUseCategory: 'Irrigation', USGSCategoryNameCV: 'Irrigation, Total' }],
  'sites.csv': [
    { SiteUUID: 'S1', ...site, PODorPOUSite: 'POD', Longitude: -111.5, Latitude: 41.5, USGSSiteID: '10128500' },
    { SiteUUID: 'S2', ...site, PODorPOUSite: 'POU', Geometry: 'POLYGON((-111 41,-110 41,-110 42,-111 41))' },
  ],
  'podsitetopousiterelationships.csv': [{ PODSiteUUID: 'S1', POUSiteUUID: 'S2', StartDate: '2000-01-01' }],
  'reportingunits.csv': [
    { ReportingUnitUUID: 'RU1', ReportingUnitTypeCV: 'County', ReportingUnitName: 'Cache', StateCV: 'UT' },
    { ReportingUnitUUID: 'RU2', ReportingUnitTypeCV: 'HUC8', ReportingUnitNativeID: '16010101', StateCV: 'UT' },
  ],
  'sitespecificamounts.csv': [
    siteAmount({ ...dated, ...timeframe, WaterSourceUUID: 'WS1' }),
    siteAmount({ Amount: 2 }),
  ],
  'aggregatedamounts.csv': [
    aggregatedAmount({ ...dated, ...timeframe }),
    aggregatedAmount({ ReportingUnitUUID: 'RU2', Amount: 2.5 }),
  ],
  'waterallocations.csv': [
    allocation({
      ...dated,
      AllocationUUID: 'A1',
      AllocationNativeID: 'N1',
      SiteUUID: 'S1,S2',
      AllocationFlow_CFS: 1.5,
      AllocationPriorityDate: '1902-03-04',
      AllocationLegalStatusCV: 'Active',
      AllocationTypeCV: 'Decree',
      AllocationOwner: 'Bear  River Co.',
      OwnerClassificationCV: 'Private',
      ExemptOfVolumeFlowPriority: 'Yes',
      WaterSourceUUID: 'WS1',
    }),
    allocation({ AllocationNativeID: 'N2' }),
  ],
};

const service = createTestService();
const readers = new Map<DataSetKind, ReleaseReader>();

beforeAll(async () => {
  const { verdict } = await service.load(submission);
  expect(verdict).toBe('published');
  const { entries } = await service.store.currentState();
  for (const { releaseId } of entries) {
    const reader = await service.store.openRelease(releaseId);
    if (reader !== undefined) readers.set(reader.facts.dataSet, reader);
  }
});

function openReader(kind: DataSetKind): ReleaseReader {
  const reader = readers.get(kind);
  if (reader === undefined) throw new Error(`no release of ${kind}`);
  return reader;
}

async function readParts(reader: ReleaseReader): Promise<readonly ReleasePart[]> {
  const parts: ReleasePart[] = [];
  for await (const part of reader.parts()) parts.push(part);
  return parts;
}

/** The whole stored content of a release as strings. Posting lists may come in any order, so they are sorted. */
async function readContent(reader: ReleaseReader): Promise<readonly string[]> {
  const names = listArtifactNames(reader.facts.dataSet, reader.facts.records);
  const artifacts = await Promise.all(names.map(async (name) => `${name} ${base64(await reader.artifact(name))}`));
  const parts = (await readParts(reader)).map((part) =>
    JSON.stringify(
      part.kind === 'record' || part.kind === 'lookups' ? part : { ...part, content: base64(part.content) },
    ),
  );
  const isPosting = (part: string): boolean => part.startsWith('{"kind":"posting"');
  const sources: string[] = [];
  for await (const { name, pieces } of reader.sourceFiles()) {
    for await (const piece of pieces()) sources.push(`${name} ${base64(piece)}`);
  }
  // The name of the release follows from its content and the version.
  const { releaseId, formatVersion, ...facts } = reader.facts;
  expect([releaseId.length, formatVersion]).toEqual([32, FORMAT_VERSION]);
  const ordered = parts.filter((part) => !isPosting(part));
  return [JSON.stringify(facts), ...artifacts, ...ordered, ...parts.filter(isPosting).sort(), ...sources];
}

function base64(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? 'none' : Buffer.from(bytes).toString('base64');
}

test.each(Object.keys(FIELDS) as DataSetKind[])('the release of %s has terms for every filter field', async (kind) => {
  const terms = (await readParts(openReader(kind))).flatMap((part) => (part.kind === 'posting' ? [part.term] : []));
  // Terms are `field:value` or `?field`.
  const fields = new Set(terms.map((term) => term.replace(/^\?/, '').split(':')[0] as FilterField));
  expect([...fields].sort()).toEqual(Object.keys(FIELDS[kind]).sort());
});

test('if the content of releases changes, raise FORMAT_VERSION and update this digest', async () => {
  const kinds = Object.keys(FIELDS) as DataSetKind[];
  const content = await Promise.all(kinds.map((kind) => readContent(openReader(kind))));
  expect([FORMAT_VERSION, digestContent(content.flat().join('\n'))]).toEqual([14, '103682be555ac2e1f24bbdcbcefa21c9']);
});
