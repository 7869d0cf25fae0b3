// Takes in the lookup files of a submission: each row is accepted into the staging database or rejected (submissions.md, 4).

import { readGeometry } from '../../shared/values/boundary';
import { encodeGeometry } from '../../shared/values/geometry';
import { readPoint } from '../../shared/values/point';
import type { RowOf, SubmissionFile } from '../parse/column';
import {
  beneficialUsesFile,
  methodsFile,
  organizationsFile,
  relationsFile,
  reportingUnitsFile,
  sitesFile,
  variablesFile,
  waterSourcesFile,
} from '../parse/lookup-files';
import type { FileFindings, RowFinding } from '../report/findings';
import type { LookupTable, Staging } from '../stage/staging';
import { eachRow, type ReadingContext, type VisitedRow } from './each-row';
import { References } from './references';

type OrganizationRow = RowOf<typeof organizationsFile>;

/** Rows of organizations.csv wait: which one is the submission's, only its amounts say. */
export interface PendingOrganization {
  readonly row: OrganizationRow;
  readonly line: number;
  readonly warnings: readonly RowFinding[];
}

export interface PendingOrganizations {
  readonly findings: FileFindings | undefined;
  readonly rows: readonly PendingOrganization[];
}

export async function stageLookups(context: ReadingContext, staging: Staging): Promise<PendingOrganizations> {
  const organizations = await stageOrganizations(context, staging);
  await stageById(variablesFile, 'variables', 'VariableSpecificUUID', context, staging);
  await stageById(methodsFile, 'methods', 'MethodUUID', context, staging);
  await stageById(waterSourcesFile, 'watersources', 'WaterSourceUUID', context, staging);
  await stageById(beneficialUsesFile, 'beneficialuses', 'BeneficialUseCategory', context, staging);
  await stageSites(context, staging);
  await stageReportingUnits(context, staging);
  await stageRelations(context, staging);
  return organizations;
}

async function stageOrganizations(context: ReadingContext, staging: Staging): Promise<PendingOrganizations> {
  const rows: PendingOrganization[] = [];
  const findings = await eachRow(organizationsFile, context, {
    header: keepHeader(staging, organizationsFile),
    row: (visited, file) => {
      const { row, line, warnings, source } = visited;
      if (staging.addLookup('organizations', row.OrganizationUUID, JSON.stringify(row))) {
        staging.addSource(organizationsFile.name, line, source);
        rows.push({ row, line, warnings });
      } else {
        file.reject(line, [duplicate(visited, 'OrganizationUUID')]);
      }
    },
  });
  return { findings, rows };
}

async function stageById<File extends SubmissionFile>(
  file: File,
  table: LookupTable,
  idColumn: keyof RowOf<File> & string,
  context: ReadingContext,
  staging: Staging,
): Promise<void> {
  await eachRow(file, context, {
    header: keepHeader(staging, file),
    row: (visited, findings) => {
      acceptLookup(staging, table, file.name, idColumn, visited, findings, null);
    },
  });
}

async function stageSites(context: ReadingContext, staging: Staging): Promise<void> {
  const references = new References(staging);
  await eachRow(sitesFile, context, {
    header: keepHeader(staging, sitesFile),
    row: (visited, findings) => {
      const { row, warnings } = visited;
      row.HUC8 ??= row.HUC12?.slice(0, 8) ?? null; // D11
      if (readPoint(row.Longitude, row.Latitude) === undefined) {
        warnings.push({ rule: 'no-point', column: 'Longitude', value: `${row.Longitude ?? ''} ${row.Latitude ?? ''}` });
      }
      row.WaterSourceUUIDs = row.WaterSourceUUIDs.filter((id) => {
        const isHeld = references.find('watersources', id) !== undefined;
        if (!isHeld) warnings.push({ rule: 'unknown-water-source', column: 'WaterSourceUUIDs', value: id });
        return isHeld;
      });
      const geometry = usableGeometry(row.Geometry, warnings);
      acceptLookup(staging, 'sites', sitesFile.name, 'SiteUUID', visited, findings, geometry);
    },
  });
}

async function stageReportingUnits(context: ReadingContext, staging: Staging): Promise<void> {
  await eachRow(reportingUnitsFile, context, {
    header: keepHeader(staging, reportingUnitsFile),
    row: (visited, findings) => {
      const geometry = usableGeometry(visited.row.Geometry, visited.warnings);
      acceptLookup(
        staging,
        'reportingunits',
        reportingUnitsFile.name,
        'ReportingUnitUUID',
        visited,
        findings,
        geometry,
      );
    },
  });
}

async function stageRelations(context: ReadingContext, staging: Staging): Promise<void> {
  const references = new References(staging);
  await eachRow(relationsFile, context, {
    header: keepHeader(staging, relationsFile),
    row: ({ row, line, source, warnings }, findings) => {
      const absent: RowFinding[] = [];
      for (const column of ['PODSiteUUID', 'POUSiteUUID'] as const) {
        if (references.find('sites', row[column]) === undefined) {
          absent.push({ rule: 'relation-without-site', column, value: row[column] });
        }
      }
      if (absent.length > 0) {
        findings.reject(line, absent);
      } else if (staging.addRelation(row.PODSiteUUID, row.POUSiteUUID, row.StartDate ?? '', row.EndDate ?? '')) {
        staging.addSource(relationsFile.name, line, source);
        findings.accept(line, warnings);
      } else {
        findings.reject(line, [{ rule: 'duplicate-relation', column: null, value: source }]);
      }
    },
  });
  staging.indexRelations();
}

function acceptLookup<File extends SubmissionFile>(
  staging: Staging,
  table: LookupTable,
  fileName: string,
  idColumn: keyof RowOf<File> & string,
  visited: VisitedRow<File>,
  findings: FileFindings,
  geometry: Uint8Array | null,
): void {
  const id = String(visited.row[idColumn]);
  if (staging.addLookup(table, id, JSON.stringify(visited.row), geometry)) {
    staging.addSource(fileName, visited.line, visited.source);
    findings.accept(visited.line, visited.warnings);
  } else {
    findings.reject(visited.line, [duplicate(visited, idColumn)]);
  }
}

/** For searches by boundary; the text itself is kept whatever it is. */
function usableGeometry(text: string | null, warnings: RowFinding[]): Uint8Array | null {
  if (text === null) return null;
  const read = readGeometry(text);
  if (read.ok) return encodeGeometry(read.value);
  warnings.push({ rule: 'unusable-geometry', column: 'Geometry', value: `${read.problem}: ${text}` });
  return null;
}

function duplicate<File extends SubmissionFile>(visited: VisitedRow<File>, column: string): RowFinding {
  return { rule: 'duplicate-identifier', column, value: visited.raw(column) };
}

/** The header is kept with the rows, so that what is kept reads as the file did. */
function keepHeader(staging: Staging, file: SubmissionFile): (source: string) => void {
  return (source) => {
    staging.addSource(file.name, 0, source);
  };
}
