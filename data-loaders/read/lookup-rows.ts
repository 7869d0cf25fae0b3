// Stages the rows of a submission's lookup files (submissions.md, 4). The rows of a merge that delete lookups are
// collected here and applied once all rows are staged (delete-lookups.ts).

import type { SubmissionFile } from '../format/column';
import { isRejection, type RowFinding } from '../format/findings';
import { buildSortableKey } from '../format/sortable-key';
import {
  type BeneficialUseRow,
  lookupFiles,
  type RelationRow,
  type ReportingUnitRow,
  type SiteRow,
  type WaterSourceRow,
} from '../format/submission-files';
import type { LookupRow, LookupTable, NewLookup } from '../stage/staged-lookups';
import type { Staging } from '../stage/staging';
import { type LookupDeletion } from './delete-lookups';
import { type RowSource, type SubmittedRow, type Visit, visitRows } from './file-rows';
import { checkCoordinateSystem, checkPoint, normalizeGeometry, toSubbasin } from './locate-places';
import { resolveIdentifiers } from './resolve-references';

/** Data about lookup rows that a load keeps until all rows are staged. */
interface LookupsState {
  /**
   * The submission's rows of organizations.csv. They are counted once the amounts have shown which organization is
   * used.
   */
  readonly organizations: { readonly id: string; readonly line: number }[];
  readonly deletions: LookupDeletion[];
}

/** How the rows of a table are staged. */
interface LookupHandling<Row> {
  /** Undefined for relations, which are identified by all of their cells. */
  readonly id?: keyof Row & string;
  /** Undefined if the table's rows need no resolving. */
  readonly resolve?: (row: Row, staging: Staging) => ResolvedLookup<Row>;
}

/** A resolved row. */
interface ResolvedLookup<Row> extends Partial<Pick<NewLookup, 'geometry' | 'waterSources'>> {
  /** The row itself, or a corrected copy. */
  readonly row: Row;
  readonly findings: readonly RowFinding[];
}

/** In reading order: each file comes after the files to which its rows refer. */
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

const TABLES = Object.keys(TABLE_HANDLING) as LookupTable[]; // The keys are the tables.

/** Stages the lookup rows of all sources. If two rows have the same identifier, the first one wins. */
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
    const { line, isDeletion, isPrevious, source } = submitted;
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
      // A newer row that replaces a previous one is not a finding.
      if (!isNew && !isPrevious) findings.push(buildDuplicateFinding(submitted, idColumn));
      if (isNew && !isPrevious && table === 'organizations') {
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

/** A relation needs both of its sites. */
function resolveRelation(row: RelationRow, staging: Staging): ResolvedLookup<RelationRow> {
  const findings: RowFinding[] = [];
  for (const column of ['PODSiteUUID', 'POUSiteUUID'] as const) {
    resolveIdentifiers({ column, table: 'sites', rule: 'relation-without-site' }, [row[column]], staging, findings);
  }
  return { row, findings };
}

/** Derives a missing HUC8 from the HUC12 (D11), and drops unknown water sources. */
function resolveSite(row: SiteRow, staging: Staging): ResolvedLookup<SiteRow> {
  const { text, geometry, problem } = normalizeGeometry(row.Geometry);
  const findings = checkCoordinateSystem(row, [...checkPoint(row, geometry !== null), ...problem], geometry);
  const reference = { column: 'WaterSourceUUIDs', table: 'watersources', rule: 'unknown-water-source' } as const;
  const { knownIds, numbers } = resolveIdentifiers(reference, row.WaterSourceUUIDs, staging, findings);
  const located = { ...row, Geometry: text, HUC8: row.HUC8 ?? toSubbasin(row.HUC12), WaterSourceUUIDs: knownIds };
  return { row: located, geometry, waterSources: numbers, findings };
}

function resolveReportingUnit(row: ReportingUnitRow): ResolvedLookup<ReportingUnitRow> {
  const { text, geometry, problem } = normalizeGeometry(row.Geometry);
  return { row: { ...row, Geometry: text }, geometry, findings: checkCoordinateSystem(row, problem, geometry) };
}

/** A water source's geometry is kept only as text, because no search uses it. */
function resolveWaterSource(row: WaterSourceRow): ResolvedLookup<WaterSourceRow> {
  const { text, problem } = normalizeGeometry(row.Geometry);
  return { row: { ...row, Geometry: text }, findings: problem };
}
