// Stages the rows of a submission's lookup files: each row is accepted or rejected (submissions.md, 4). The rows of a
// merge that delete lookups are applied when everything is staged (submissions.md, 5).
//
// What a row of a file of places says of where it lies (submissions.md, 3 and 4): its point, its geometry, and the
// coordinate system that it names. No row is changed: what differs is a copy.

import { sortableKey } from '../format/amount-definitions';
import type { RowOf, SubmissionFile } from '../format/column';
import {
  type BeneficialUseRow,
  lookupFiles,
  type RelationRow,
  type ReportingUnitRow,
  type SiteRow,
  type WaterSourceRow,
} from '../format/submission-files';
import { type FileFindings, NO_FINDINGS, type RowFinding } from '../format/findings';
import type { RuleName } from '../format/rules';
import type { LookupRow, LookupTable, StagedLookups } from '../stage/staged-lookups';
import type { Staging } from '../stage/staging';
import type { StagedAmounts } from './amount-rows';
import { eachRow, type RowSource, type VisitedRow } from './file-rows';
import { relationReasons, resolveWaterSources } from './resolve-references';
import { readGeometry } from '../../shared/values/boundary';
import { writeWkt } from '../../shared/values/wkt';
import { encodeGeometry } from '../../shared/values/geometry';
import { readPoint } from '../../shared/values/numbers';

/** Rows of organizations.csv that are not accepted yet: only the amounts say which one is the submission's. */
export interface PendingOrganizations {
  readonly findings: FileFindings | undefined;
  readonly rows: readonly Pick<VisitedRow<typeof lookupFiles.organizations>, 'row' | 'line' | 'warnings'>[];
}

/** A row of a merge that deletes a lookup; whether it can be deleted is known when everything is staged. */
interface LookupDeletion {
  readonly table: LookupTable;
  readonly id: string;
  /** The identifier as a finding shows it. */
  readonly shown: string;
  readonly line: number;
}

/** Stages the lookup rows of all sources; of two rows with one identifier the first wins. */
export async function stageLookups(
  sources: readonly RowSource[],
  staging: Staging,
): Promise<{ readonly organizations: PendingOrganizations; readonly deletions: readonly LookupDeletion[] }> {
  const stager = new LookupStager(sources, staging);
  const organizations = await stager.stageOrganizations();
  await stager.stage('variables', 'VariableSpecificUUID');
  await stager.stage('methods', 'MethodUUID');
  await stager.stage('watersources', 'WaterSourceUUID', { locate: locateWaterSource });
  await stager.stage('beneficialuses', 'BeneficialUseCategory');
  await stager.stage('sites', 'SiteUUID', { locate: locateSite, waterSourcesOf: (row) => row.WaterSourceUUIDs });
  await stager.stage('reportingunits', 'ReportingUnitUUID', { locate: locateReportingUnit });
  await stager.stage('relations', undefined, {
    locate: (row) => ({ ...NOWHERE, row, reasons: relationReasons(row, staging) }),
  });
  return { organizations, deletions: stager.state.deletions };
}

type FileOf<Table extends LookupTable> = (typeof lookupFiles)[Table];

/** What a file's rows have beside their cells; nothing where it is left out. */
interface LookupHandling<File extends SubmissionFile> {
  readonly locate?: (row: RowOf<File>) => LocatedRow<RowOf<File>>;
  readonly waterSourcesOf?: (row: RowOf<File>) => readonly string[];
  /** Rows are accepted at once if it is left out. */
  readonly accept?: (visited: VisitedRow<File>) => void;
}

const NOWHERE = { geometry: null, warnings: NO_FINDINGS, reasons: NO_FINDINGS };

interface LookupsState {
  readonly organizations: PendingOrganizations['rows'][number][];
  readonly deletions: LookupDeletion[];
}

class LookupStager {
  readonly state: LookupsState;

  constructor(
    private readonly sources: readonly RowSource[],
    private readonly staging: Staging,
  ) {
    this.state = staging.part<LookupsState>('lookups', { organizations: [], deletions: [] });
  }

  async stageOrganizations(): Promise<PendingOrganizations> {
    const findings = await this.stage('organizations', 'OrganizationUUID', {
      accept: ({ row, line, warnings, isFormer }) => {
        if (!isFormer) this.state.organizations.push({ row, line, warnings });
      },
    });
    return { findings, rows: this.state.organizations };
  }

  /** `idColumn` is undefined for relations, all of whose cells tell them apart. Gives the submission's own findings. */
  async stage<Table extends LookupTable>(
    table: Table,
    idColumn: (keyof LookupRow<Table> & string) | undefined,
    { locate, waterSourcesOf, accept }: LookupHandling<FileOf<Table>> = {},
  ): Promise<FileFindings | undefined> {
    const lookups = this.staging.lookups(table);
    const idOf = (row: LookupRow<Table>): string =>
      idColumn === undefined ? sortableKey(relationKey(row as RelationRow)) : String(row[idColumn]);
    const visit = (visited: VisitedRow<FileOf<Table>>, findings: FileFindings): void => {
      const located: LocatedRow<LookupRow<Table>> = locate?.(visited.row) ?? { ...NOWHERE, row: visited.row };
      const { row, geometry, reasons, ofFile } = located;
      if (ofFile !== undefined) findings.countOfFile(ofFile);
      if (reasons.length > 0) {
        findings.reject(visited.line, reasons);
        return;
      }
      const { known, numbers: waterSources, warnings } = resolveWaterSources(waterSourcesOf?.(row) ?? [], this.staging);
      const resolved = warnings.length === 0 ? row : { ...row, WaterSourceUUIDs: known };
      if (!lookups.add({ id: idOf(row), row: resolved, source: visited.source, waterSources, geometry })) {
        // A former row that a newer one replaces is no finding.
        if (visited.isFormer) findings.accept(visited.line, NO_FINDINGS);
        else findings.reject(visited.line, [duplicateOf(visited, idColumn)]);
      } else if (accept !== undefined) accept(visited);
      else findings.accept(visited.line, [...visited.warnings, ...located.warnings, ...warnings]);
    };
    let own: FileFindings | undefined;
    for (const source of this.sources) {
      const found = await eachRow<FileOf<Table>>(lookupFiles[table], source, {
        row: visit,
        deletion: ({ row, line }, findings) => {
          findings.accept(line, NO_FINDINGS);
          const id = idOf(row);
          const shown = table === 'relations' ? JSON.stringify(relationKey(row as RelationRow)) : id;
          this.state.deletions.push({ table, id, shown, line });
        },
      });
      if (source.role !== 'former') own = found;
    }
    return own;
  }
}

function duplicateOf(
  { source, raw }: Pick<VisitedRow<SubmissionFile>, 'source' | 'raw'>,
  idColumn: string | undefined,
): RowFinding {
  if (idColumn === undefined) return { rule: 'duplicate-relation', column: null, value: source };
  return { rule: 'duplicate-identifier', column: idColumn, value: raw(idColumn) };
}

function relationKey({ PODSiteUUID, POUSiteUUID, StartDate, EndDate }: RelationRow): readonly string[] {
  return [PODSiteUUID, POUSiteUUID, StartDate ?? '', EndDate ?? ''];
}

export function* stagedUses(staging: Staging): Iterable<BeneficialUseRow> {
  for (const { row } of staging.lookups('beneficialuses').rows()) yield row();
}

/** Relations first, then places, then what places refer to, so that one submission can take out all of them. */
const ORDER: readonly LookupTable[] = [
  'relations',
  'sites',
  'reportingunits',
  'watersources',
  'variables',
  'methods',
  'beneficialuses',
  'organizations',
];

/** `own` are the findings of the submission's files. */
export function applyDeletions(
  deletions: readonly LookupDeletion[],
  staged: readonly StagedAmounts[],
  staging: Staging,
  own: readonly FileFindings[],
): void {
  for (const table of ORDER) {
    const requested = deletions.filter((deletion) => deletion.table === table);
    if (requested.length === 0) continue;
    const referred = referredByLookups(table, staging);
    const isReferred = (number: number): boolean =>
      referred.has(number) || staged.some(({ referenced }) => referenced.marks[table][number] === 1);
    const findings = own.find(({ file }) => file === lookupFiles[table].name);
    for (const { id, shown, line } of requested) {
      const problem = remove(staging.lookups(table), id, isReferred);
      if (problem !== undefined) findings?.rejectAccepted(line, { rule: problem, column: null, value: shown }, []);
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
function referredByLookups(table: LookupTable, staging: Staging): ReadonlySet<number | undefined> {
  const referred = new Set<number | undefined>();
  if (table === 'sites') {
    const sites = staging.lookups('sites');
    for (const { row } of staging.lookups('relations').rows()) {
      const { PODSiteUUID, POUSiteUUID } = row();
      referred.add(sites.findNumber(PODSiteUUID)).add(sites.findNumber(POUSiteUUID));
    }
  } else if (table === 'watersources') {
    for (const { waterSources } of staging.lookups('sites').rows()) for (const one of waterSources) referred.add(one);
  }
  return referred;
}

export interface LocatedRow<Row> {
  /** The row with its geometry as WKT. */
  readonly row: Row;
  /** As encodeGeometry writes it; null without a usable one. */
  readonly geometry: Uint8Array | null;
  readonly warnings: readonly RowFinding[];
  /** A finding that is listed once for all rows of the file with the same value; nearly all rows have none. */
  readonly ofFile?: RowFinding;
  /** Why the row is rejected. */
  readonly reasons: readonly RowFinding[];
}

/** A site has its HUC8 from its HUC12 if need be (D11). */
function locateSite(row: SiteRow): LocatedRow<SiteRow> {
  const { text, geometry, problem } = normaliseGeometry(row.Geometry);
  const located = { ...row, Geometry: text, HUC8: row.HUC8 ?? subbasinOf(row.HUC12) };
  return { row: located, geometry, ...inSystem(row, [...pointWarnings(row), ...problem], geometry) };
}

function locateReportingUnit(row: ReportingUnitRow): LocatedRow<ReportingUnitRow> {
  const { text, geometry, problem } = normaliseGeometry(row.Geometry);
  return { row: { ...row, Geometry: text }, geometry, ...inSystem(row, problem, geometry) };
}

/** No search asks for the geometry of a water source, so only its text is kept. */
function locateWaterSource(row: WaterSourceRow): LocatedRow<WaterSourceRow> {
  const { text, problem } = normaliseGeometry(row.Geometry);
  return { row: { ...row, Geometry: text }, geometry: null, warnings: problem, reasons: NO_FINDINGS };
}

function pointWarnings({ Longitude: longitude, Latitude: latitude }: SiteRow): readonly RowFinding[] {
  if (readPoint(longitude, latitude) !== undefined) return NO_FINDINGS;
  const isProjected = areProjected(Number(longitude ?? NaN), Number(latitude ?? NaN));
  const rule = isProjected ? 'projected-coordinates' : 'no-point';
  return [{ rule, column: 'Longitude', value: `${longitude ?? ''} ${latitude ?? ''}` }];
}

/** A larger ordinate is no slip in degrees, such as a lost decimal point of -111.8: it is in metres or feet. */
const LEAST_PROJECTED = 10_000;

/** Easting and northing of UTM, of state planes and of WebMercator are far larger than degrees. */
function areProjected(easting: number, northing: number): boolean {
  return Math.abs(easting) >= LEAST_PROJECTED && Math.abs(northing) >= LEAST_PROJECTED;
}

/** The first two numbers of a text of WKT or GeoJSON. */
const FIRST_POSITION = /[([]\s*(-?\d+(?:\.\d+)?)[\s,]+(-?\d+(?:\.\d+)?)/;

/** The code of a coordinate system, however it is written: `4326`, `4326.0`, `EPSG:4326`. */
const EPSG_CODE = /(?:^|\D)(\d{4,6})(?:\.0+)?$/;

const WGS_84 = '4326';

/** The findings of a place, from the warnings on its coordinates and the system that it names (ADR 0051). */
function inSystem(
  { EPSGCodeCV: system, ...row }: Pick<ReportingUnitRow, 'EPSGCodeCV'> & Partial<SiteRow>,
  warnings: readonly RowFinding[],
  geometry: Uint8Array | null,
): Omit<LocatedRow<SiteRow>, 'row' | 'geometry'> {
  const [, code = WGS_84] = EPSG_CODE.exec(system ?? '') ?? [];
  if (code === WGS_84) return { warnings, reasons: NO_FINDINGS };
  const found = { column: 'EPSGCodeCV', value: system ?? '' };
  if (warnings.some(({ rule }) => rule === 'projected-coordinates')) {
    return { warnings, reasons: [{ rule: 'projected-system', ...found }] };
  }
  const isInDegrees = geometry !== null || readPoint(row.Longitude ?? null, row.Latitude ?? null) !== undefined;
  const ofFile: Pick<LocatedRow<SiteRow>, 'ofFile'> = isInDegrees ? { ofFile: { rule: 'other-system', ...found } } : {};
  return { warnings, reasons: NO_FINDINGS, ...ofFile };
}

/** The first eight of the twelve digits of a HUC12 (D11). */
function subbasinOf(huc12: string | null): string | null {
  return huc12 !== null && /^\d{12}$/.test(huc12) ? huc12.slice(0, 8) : null;
}

interface NormalisedGeometry {
  readonly geometry: LocatedRow<SiteRow>['geometry'];
  /** WKT (D28); a text that cannot be read stays as it was submitted. */
  readonly text: string | null;
  readonly problem: readonly RowFinding[];
}

/** Reads WKT or GeoJSON (D15). */
function normaliseGeometry(text: string | null): NormalisedGeometry {
  if (text === null) return { text, geometry: null, problem: NO_FINDINGS };
  const read = readGeometry(text);
  if (!read.ok) {
    const value = `${read.problem}: ${text.slice(0, 200)}`;
    const [, easting, northing] = FIRST_POSITION.exec(text) ?? [];
    const rule = areProjected(Number(easting), Number(northing)) ? 'projected-coordinates' : 'unusable-geometry';
    return { text, geometry: null, problem: [{ rule, column: 'Geometry', value }] };
  }
  // Positions that were read have two numbers.
  const wkt = text.startsWith('{') ? writeWkt(read.value) : text;
  return { text: wkt, geometry: encodeGeometry(read.value), problem: NO_FINDINGS };
}
