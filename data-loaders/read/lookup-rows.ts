// Stages the rows of a submission's lookup files: each row is accepted or rejected (submissions.md, 4). The rows of a
// merge that delete lookups are applied when everything is staged (submissions.md, 5).
//
// What a row of a file of places says of where it lies (submissions.md, 3 and 4): its point, its geometry, and the
// coordinate system that it names. No row is changed: what differs is a copy.

import { readGeometry } from '../../shared/values/boundary';
import { encodeGeometry } from '../../shared/values/encode-geometry';
import { readPoint } from '../../shared/values/site-point';
import { writeWkt } from '../../shared/values/wkt';
import { buildSortableKey } from '../format/amount-definitions';
import type { SubmissionFile } from '../format/column';
import { type FileFindings, isRejection, type RowFinding } from '../format/findings';
import type { RuleName } from '../format/rules';
import {
  type BeneficialUseRow,
  lookupFiles,
  type RelationRow,
  type ReportingUnitRow,
  type SiteRow,
  type WaterSourceRow,
} from '../format/submission-files';
import type { LookupRow, LookupTable, NewLookup, StagedLookups } from '../stage/staged-lookups';
import type { Staging } from '../stage/staging';
import type { StagedAmounts } from './amount-rows';
import { type RowSource, type SubmittedRow, type Visit, visitRows } from './file-rows';
import { resolveIdentifiers } from './resolve-references';

/** What a load remembers of lookup rows until everything is staged. */
interface LookupsState {
  /** The submission's rows of organizations.csv, which are counted once the amounts say which of them is theirs. */
  readonly organizations: { readonly id: string; readonly line: number }[];
  readonly deletions: LookupDeletion[];
}

/** A row of a merge that deletes a lookup; whether it can be deleted is known when everything is staged. */
interface LookupDeletion {
  readonly table: LookupTable;
  readonly id: string;
  /** The identifier as a finding shows it. */
  readonly displayedId: string;
  readonly line: number;
}

/** How the rows of a table are staged. */
interface LookupHandling<Row> {
  /** Left out for relations, all of whose cells tell them apart. */
  readonly id?: keyof Row & string;
  /** Left out where a row is taken as it was read. */
  readonly resolve?: (row: Row, staging: Staging) => ResolvedLookup<Row>;
}

/** What a row comes to beside its cells. */
interface ResolvedLookup<Row> extends Partial<Pick<NewLookup, 'geometry' | 'waterSources'>> {
  /** The row itself, or a copy with what was mended. */
  readonly row: Row;
  readonly findings: readonly RowFinding[];
}

/** In the order in which the files are read: what rows refer to comes before them. */
const TABLE_HANDLING: { readonly [Table in LookupTable]: LookupHandling<LookupRow<Table>> } = {
  organizations: { id: 'OrganizationUUID' },
  variables: { id: 'VariableSpecificUUID' },
  methods: { id: 'MethodUUID' },
  watersources: { id: 'WaterSourceUUID', resolve: resolveWaterSource },
  beneficialuses: { id: 'BeneficialUseCategory' },
  sites: { id: 'SiteUUID', resolve: resolveSite },
  reportingunits: { id: 'ReportingUnitUUID', resolve: resolveReportingUnit },
  relations: { resolve: resolveRelation },
};

const TABLES = Object.keys(TABLE_HANDLING) as LookupTable[]; // Its keys are the tables.

/** Stages the lookup rows of all sources; of two rows with one identifier the first wins. */
export async function stageLookups(sources: readonly RowSource[], staging: Staging): Promise<LookupsState> {
  const state = staging.getState<LookupsState>('lookups', { organizations: [], deletions: [] });
  for (const table of TABLES) {
    const visit = createVisitor(table, staging, state);
    for (const source of sources) await visitRows(lookupFiles[table], source, visit);
  }
  return state;
}

function createVisitor<Table extends LookupTable>(
  table: Table,
  staging: Staging,
  { organizations, deletions }: LookupsState,
): Visit<(typeof lookupFiles)[Table]> {
  const lookups = staging.getLookups(table);
  const { id: idColumn, resolve }: LookupHandling<LookupRow<Table>> = TABLE_HANDLING[table];
  return (submitted, fileFindings) => {
    const { line, isDeletion, isPrevious: isFormer, source } = submitted;
    const row: LookupRow<Table> = submitted.row;
    const id = idColumn === undefined ? buildSortableKey(buildRelationKey(row as RelationRow)) : String(row[idColumn]);
    if (isDeletion) {
      const displayedId = idColumn === undefined ? JSON.stringify(buildRelationKey(row as RelationRow)) : id;
      deletions.push({ table, id, displayedId, line });
      fileFindings.addRow(line);
      return;
    }
    const resolved: ResolvedLookup<LookupRow<Table>> = resolve?.(row, staging) ?? { row, findings: [] };
    const { geometry = null, waterSources = [] } = resolved;
    const findings = [...submitted.findings, ...resolved.findings];
    if (!findings.some(isRejection)) {
      const isNew = lookups.add({ id, row: resolved.row, source, waterSources, geometry });
      // A former row that a newer one replaces is no finding.
      if (!isNew && !isFormer) findings.push(buildDuplicateFinding(submitted, idColumn));
      if (isNew && !isFormer && table === 'organizations') {
        organizations.push({ id, line });
        return;
      }
    }
    fileFindings.addRow(line, findings);
  };
}

function buildDuplicateFinding(
  { source, raw }: Pick<SubmittedRow<SubmissionFile>, 'source' | 'raw'>,
  idColumn: string | undefined,
): RowFinding {
  if (idColumn === undefined) return { rule: 'duplicate-relation', column: null, value: source };
  return { rule: 'duplicate-identifier', column: idColumn, value: raw(idColumn) };
}

function buildRelationKey({ PODSiteUUID, POUSiteUUID, StartDate, EndDate }: RelationRow): readonly string[] {
  return [PODSiteUUID, POUSiteUUID, StartDate ?? '', EndDate ?? ''];
}

export function* readStagedUses(staging: Staging): Iterable<BeneficialUseRow> {
  for (const { readRow: row } of staging.getLookups('beneficialuses').readRows()) yield row();
}

/** `own` are the findings of the submission's files. */
export function applyDeletions(
  deletions: readonly LookupDeletion[],
  staged: readonly StagedAmounts[],
  staging: Staging,
  ownFindings: readonly FileFindings[],
): void {
  // What refers comes before what it refers to, so that one submission can take out both.
  for (const table of TABLES.toReversed()) {
    const requested = deletions.filter((deletion) => deletion.table === table);
    if (requested.length === 0) continue;
    const referredNumbers = findReferredNumbers(table, staging);
    const isReferred = (number: number): boolean =>
      referredNumbers.has(number) || staged.some(({ referenced }) => referenced.marks[table][number] === 1);
    const findings = ownFindings.find(({ file }) => file === lookupFiles[table].name);
    for (const { id, displayedId, line } of requested) {
      const problem = remove(staging.getLookups(table), id, isReferred);
      if (problem !== undefined)
        findings?.rejectAccepted(line, { rule: problem, column: null, value: displayedId }, []);
    }
  }
}

function remove(lookups: StagedLookups, id: string, isReferred: (number: number) => boolean): RuleName | undefined {
  const number = lookups.findNumber(id);
  if (number === undefined) return 'nothing-to-delete';
  if (isReferred(number)) return 'still-referred';
  lookups.remove(id);
  return undefined;
}

/** The staged numbers of the sites to which relations refer, and of the water sources to which sites do. */
function findReferredNumbers(table: LookupTable, staging: Staging): ReadonlySet<number | undefined> {
  const referredNumbers = new Set<number | undefined>();
  if (table === 'sites') {
    const sites = staging.getLookups('sites');
    for (const { readRow: row } of staging.getLookups('relations').readRows()) {
      const { PODSiteUUID, POUSiteUUID } = row();
      referredNumbers.add(sites.findNumber(PODSiteUUID)).add(sites.findNumber(POUSiteUUID));
    }
  } else if (table === 'watersources') {
    for (const { waterSources } of staging.getLookups('sites').readRows())
      for (const waterSource of waterSources) referredNumbers.add(waterSource);
  }
  return referredNumbers;
}

/** A relation needs both of its sites. */
function resolveRelation(row: RelationRow, staging: Staging): ResolvedLookup<RelationRow> {
  const findings: RowFinding[] = [];
  for (const column of ['PODSiteUUID', 'POUSiteUUID'] as const) {
    resolveIdentifiers({ column, table: 'sites', rule: 'relation-without-site' }, [row[column]], staging, findings);
  }
  return { row, findings };
}

/** A site has its HUC8 from its HUC12 if need be (D11), and loses water sources that the submission does not have. */
function resolveSite(row: SiteRow, staging: Staging): ResolvedLookup<SiteRow> {
  const { text, geometry, problem } = normalizeGeometry(row.Geometry);
  const findings = checkCoordinateSystem(row, [...checkPoint(row), ...problem], geometry);
  const reference = { column: 'WaterSourceUUIDs', table: 'watersources', rule: 'unknown-water-source' } as const;
  const { knownIds: known, numbers } = resolveIdentifiers(reference, row.WaterSourceUUIDs, staging, findings);
  const located = { ...row, Geometry: text, HUC8: row.HUC8 ?? toSubbasin(row.HUC12), WaterSourceUUIDs: known };
  return { row: located, geometry, waterSources: numbers, findings };
}

function resolveReportingUnit(row: ReportingUnitRow): ResolvedLookup<ReportingUnitRow> {
  const { text, geometry, problem } = normalizeGeometry(row.Geometry);
  return { row: { ...row, Geometry: text }, geometry, findings: checkCoordinateSystem(row, problem, geometry) };
}

/** No search asks for the geometry of a water source, so only its text is kept. */
function resolveWaterSource(row: WaterSourceRow): ResolvedLookup<WaterSourceRow> {
  const { text, problem } = normalizeGeometry(row.Geometry);
  return { row: { ...row, Geometry: text }, findings: problem };
}

function checkPoint({ Longitude: longitude, Latitude: latitude }: SiteRow): readonly RowFinding[] {
  if (readPoint(longitude, latitude) !== undefined) return [];
  const isProjected = areProjected(Number(longitude ?? NaN), Number(latitude ?? NaN));
  const rule = isProjected ? 'projected-coordinates' : 'no-point';
  return [{ rule, column: 'Longitude', value: `${longitude ?? ''} ${latitude ?? ''}` }];
}

/** A larger ordinate is no slip in degrees, such as a lost decimal point of -111.8: it is in metres or feet. */
const MIN_PROJECTED = 10_000;

/** Easting and northing of UTM, of state planes and of WebMercator are far larger than degrees. */
function areProjected(easting: number, northing: number): boolean {
  return Math.abs(easting) >= MIN_PROJECTED && Math.abs(northing) >= MIN_PROJECTED;
}

/** The first two numbers of a text of WKT or GeoJSON. */
const FIRST_POSITION = /[([]\s*(-?\d+(?:\.\d+)?)[\s,]+(-?\d+(?:\.\d+)?)/;

/** The code of a coordinate system, however it is written: `4326`, `4326.0`, `EPSG:4326`. */
const EPSG_CODE = /(?:^|\D)(\d{4,6})(?:\.0+)?$/;

const WGS_84 = '4326';

/** The findings of a place, from the warnings on its coordinates and the system that it names (ADR 0051). */
function checkCoordinateSystem(
  { EPSGCodeCV: system, ...row }: Pick<ReportingUnitRow, 'EPSGCodeCV'> & Partial<SiteRow>,
  warnings: readonly RowFinding[],
  geometry: Uint8Array | null,
): RowFinding[] {
  const [, code = WGS_84] = EPSG_CODE.exec(system ?? '') ?? [];
  if (code === WGS_84) return [...warnings];
  const systemFinding = { column: 'EPSGCodeCV', value: system ?? '' };
  if (warnings.some(({ rule }) => rule === 'projected-coordinates'))
    return [{ rule: 'projected-system', ...systemFinding }];
  const isInDegrees = geometry !== null || readPoint(row.Longitude ?? null, row.Latitude ?? null) !== undefined;
  return isInDegrees ? [...warnings, { rule: 'other-system', ...systemFinding }] : [...warnings];
}

/** The first eight of the twelve digits of a HUC12 (D11). */
function toSubbasin(huc12: string | null): string | null {
  return huc12 !== null && /^\d{12}$/.test(huc12) ? huc12.slice(0, 8) : null;
}

interface NormalizedGeometry {
  readonly geometry: Uint8Array | null;
  /** WKT (D28); a text that cannot be read stays as it was submitted. */
  readonly text: string | null;
  readonly problem: readonly RowFinding[];
}

/** Reads WKT or GeoJSON (D15). */
function normalizeGeometry(text: string | null): NormalizedGeometry {
  if (text === null) return { text, geometry: null, problem: [] };
  const read = readGeometry(text);
  if (!read.ok) {
    const value = `${read.problem}: ${text.slice(0, 200)}`;
    const [, easting, northing] = FIRST_POSITION.exec(text) ?? [];
    const rule = areProjected(Number(easting), Number(northing)) ? 'projected-coordinates' : 'unusable-geometry';
    return { text, geometry: null, problem: [{ rule, column: 'Geometry', value }] };
  }
  // Positions that were read have two numbers.
  const wkt = text.startsWith('{') ? writeWkt(read.value) : text;
  return { text: wkt, geometry: encodeGeometry(read.value), problem: [] };
}
