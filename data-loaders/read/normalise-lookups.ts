// From a row of a lookup file as its cells say to the row that is staged (submissions.md, 3 and 4), with the geometry that
// searches by boundary use.

import { readWkt } from '../../shared/values/boundary/boundary-wkt';
import { encodeGeometry } from '../../shared/values/geometry';
import { readPoint } from '../../shared/values/point';
import type { RowFinding } from '../format/findings';
import type { RelationRow, ReportingUnitRow, SiteRow } from '../format/lookup-files';
import type { References } from '../stage/references';

/** The row to stage, what is to be said of it, and its geometry as encodeGeometry writes it; null without a usable one. */
export interface NormalisedLookup<Row> {
  readonly row: Row;
  readonly warnings: readonly RowFinding[];
  readonly geometry: Uint8Array | null;
}

const NO_FINDINGS: readonly RowFinding[] = [];

/** Rows of the files that nothing is changed or said of. */
export function normalisePlainLookup<Row>(row: Row): NormalisedLookup<Row> {
  return { row, warnings: NO_FINDINGS, geometry: null };
}

/** A site has its HUC8 from its HUC12 if need be (D11), and only water sources that the submission has. */
export function normaliseSite(row: SiteRow, references: References): NormalisedLookup<SiteRow> {
  const warnings: RowFinding[] = [];
  if (readPoint(row.Longitude, row.Latitude) === undefined) {
    warnings.push({ rule: 'no-point', column: 'Longitude', value: `${row.Longitude ?? ''} ${row.Latitude ?? ''}` });
  }
  const known: string[] = [];
  for (const id of row.WaterSourceUUIDs) {
    if (references.find('watersources', id) !== undefined) known.push(id);
    else warnings.push({ rule: 'unknown-water-source', column: 'WaterSourceUUIDs', value: id });
  }
  const { geometry, problem } = usableGeometry(row.Geometry);
  return {
    row: { ...row, HUC8: row.HUC8 ?? subbasinOf(row.HUC12), WaterSourceUUIDs: known },
    warnings: [...warnings, ...problem],
    geometry,
  };
}

export function normaliseReportingUnit(row: ReportingUnitRow): NormalisedLookup<ReportingUnitRow> {
  const { geometry, problem } = usableGeometry(row.Geometry);
  return { row, warnings: problem, geometry };
}

/** Why a relation between sites cannot be taken; none for one whose sites the submission has. */
export function relationReasons(row: RelationRow, references: References): readonly RowFinding[] {
  return (['PODSiteUUID', 'POUSiteUUID'] as const).flatMap((column) => {
    const value = row[column];
    return references.find('sites', value) === undefined ? [{ rule: 'relation-without-site', column, value }] : [];
  });
}

/** The first eight of the twelve digits of a HUC12 (D11). */
function subbasinOf(huc12: string | null): string | null {
  return huc12 !== null && /^\d{12}$/.test(huc12) ? huc12.slice(0, 8) : null;
}

/** For searches by boundary; the text itself stays in the row whatever it is. */
function usableGeometry(text: string | null): {
  readonly geometry: Uint8Array | null;
  readonly problem: readonly RowFinding[];
} {
  if (text === null) return { geometry: null, problem: NO_FINDINGS };
  const read = readWkt(text);
  if (read.ok) return { geometry: encodeGeometry(read.value), problem: NO_FINDINGS };
  const value = `${read.problem}: ${text.slice(0, 200)}`;
  return { geometry: null, problem: [{ rule: 'unusable-geometry', column: 'Geometry', value }] };
}
