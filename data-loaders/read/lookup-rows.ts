// Stages the rows of a submission's lookup files: each row is accepted or rejected (submissions.md, 4).

import type { RowOf, SubmissionFile } from '../format/column';
import {
  beneficialUsesFile,
  methodsFile,
  organizationsFile,
  relationsFile,
  reportingUnitsFile,
  sitesFile,
  variablesFile,
  waterSourcesFile,
  type BeneficialUseRow,
  type OrganizationRow,
  type RelationRow,
} from '../format/lookup-files';
import {
  normalisePlainLookup,
  normaliseReportingUnit,
  normaliseSite,
  relationReasons,
  type NormalisedLookup,
} from './normalise';
import { NO_FINDINGS, type FileFindings, type RowFinding } from '../format/findings';
import type { Checkpoints, Resumable } from '../stage/checkpoints';
import type { Staging } from '../stage/staging';
import type { LookupTable } from '../stage/staging-database';
import { eachRow, joinFindings, type RowSource, type VisitedRow } from './each-row';
import { References } from '../stage/references';

/** Rows of organizations.csv that are not accepted yet: only the amounts say which one is the submission's. */
export interface PendingOrganizations {
  readonly findings: FileFindings | undefined;
  readonly rows: readonly {
    readonly row: OrganizationRow;
    readonly line: number;
    readonly warnings: readonly RowFinding[];
  }[];
}

/** A row of a merge that deletes a lookup; whether it can be deleted is known when everything is staged. */
export interface LookupDeletion {
  readonly table: LookupTable | 'relations';
  readonly file: string;
  readonly id: string;
  readonly line: number;
  readonly findings: FileFindings;
}

export interface StagedLookups {
  readonly organizations: PendingOrganizations;
  readonly deletions: readonly LookupDeletion[];
}

/** Stages the lookup rows of all sources; of two rows with one identifier the first wins. */
export async function stageLookups(
  sources: readonly RowSource[],
  staging: Staging,
  checkpoints: Checkpoints,
): Promise<StagedLookups> {
  const stager = new LookupStager(sources, staging);
  checkpoints.attach('lookups', stager);
  const organizations = await stager.stageOrganizations();
  await stager.stageById(variablesFile, 'variables', 'VariableSpecificUUID');
  await stager.stageById(methodsFile, 'methods', 'MethodUUID');
  await stager.stageById(waterSourcesFile, 'watersources', 'WaterSourceUUID');
  await stager.stageById(beneficialUsesFile, 'beneficialuses', 'BeneficialUseCategory');
  await stager.stageById(sitesFile, 'sites', 'SiteUUID', normaliseSite);
  await stager.stageById(reportingUnitsFile, 'reportingunits', 'ReportingUnitUUID', normaliseReportingUnit);
  await stager.stageRelations();
  checkpoints.finish('lookups');
  return { organizations, deletions: stager.allDeletions() };
}

/** A deletion as a checkpoint saves it: its file tells the findings that it belongs to. */
type NamedDeletion = Omit<LookupDeletion, 'findings'>;

interface SavedLookups {
  readonly organizations: PendingOrganizations['rows'];
  readonly deletions: readonly NamedDeletion[];
}

class LookupStager implements Resumable {
  private organizations: PendingOrganizations['rows'][number][] = [];
  private deletions: NamedDeletion[] = [];
  private readonly references: References;

  constructor(
    private readonly sources: readonly RowSource[],
    private readonly staging: Staging,
  ) {
    this.references = new References(staging);
  }

  save(): SavedLookups {
    const { organizations, deletions } = this;
    return { organizations, deletions };
  }

  restore(saved: unknown): void {
    const { organizations, deletions } = saved as SavedLookups; // Written by `save`.
    this.organizations = [...organizations];
    this.deletions = [...deletions];
  }

  /** The deletions with the findings of their files; only the submission itself can delete. */
  allDeletions(): readonly LookupDeletion[] {
    const own = this.sources.filter(({ role }) => role !== 'former').flatMap(({ findings }) => findings.files);
    return this.deletions.flatMap((deletion) => {
      const findings = own.find(({ file }) => file === deletion.file);
      return findings === undefined ? [] : [{ ...deletion, findings }];
    });
  }

  async stageOrganizations(): Promise<PendingOrganizations> {
    const found = await this.eachRow(organizationsFile, 'organizations', 'OrganizationUUID', (visited, findings) => {
      const { row, line, warnings } = visited;
      if (!this.staging.addLookup('organizations', row.OrganizationUUID, JSON.stringify(row))) {
        this.refuseDuplicate(visited, 'OrganizationUUID', findings);
        return;
      }
      this.staging.addSource(organizationsFile.name, row.OrganizationUUID, visited.source);
      if (visited.isFormer) findings.accept(line, NO_FINDINGS);
      else this.organizations.push({ row, line, warnings });
    });
    return { findings: found, rows: this.organizations };
  }

  async stageById<File extends SubmissionFile>(
    file: File,
    table: LookupTable,
    idColumn: keyof RowOf<File> & string,
    normalise: (row: RowOf<File>, references: References) => NormalisedLookup<RowOf<File>> = normalisePlainLookup,
  ): Promise<void> {
    await this.eachRow(file, table, idColumn, (visited, findings) => {
      const { row, warnings, geometry } = normalise(visited.row, this.references);
      const id = String(row[idColumn]);
      if (this.staging.addLookup(table, id, JSON.stringify(row), geometry)) {
        this.staging.addSource(file.name, id, visited.source);
        findings.accept(visited.line, joinFindings(visited.warnings, warnings));
      } else {
        this.refuseDuplicate(visited, idColumn, findings);
      }
    });
  }

  async stageRelations(): Promise<void> {
    const file = relationsFile.name;
    for (const source of this.sources) {
      await eachRow(relationsFile, source, {
        deletion: ({ row, line }, findings) => {
          findings.accept(line, NO_FINDINGS);
          this.deletions.push({ table: 'relations', file, id: relationId(row), line });
        },
        row: (visited, findings) => {
          this.stageRelation(visited, findings);
        },
      });
    }
    this.staging.indexRelations();
  }

  private stageRelation(visited: VisitedRow<typeof relationsFile>, findings: FileFindings): void {
    const { row, line, source, warnings, isFormer } = visited;
    const reasons = relationReasons(row, this.references);
    if (reasons.length > 0) {
      findings.reject(line, reasons);
    } else if (this.staging.addRelation(row.PODSiteUUID, row.POUSiteUUID, row.StartDate ?? '', row.EndDate ?? '')) {
      this.staging.addSource(relationsFile.name, relationId(row), source);
      findings.accept(line, warnings);
    } else if (isFormer) {
      findings.accept(line, NO_FINDINGS);
    } else {
      findings.reject(line, [{ rule: 'duplicate-relation', column: null, value: source }]);
    }
  }

  /** Calls `visit` for every row of every source; the findings are those of the submission's own file. */
  private async eachRow<File extends SubmissionFile>(
    file: File,
    table: LookupTable,
    idColumn: keyof RowOf<File> & string,
    visit: (visited: VisitedRow<File>, findings: FileFindings) => void,
  ): Promise<FileFindings | undefined> {
    let own: FileFindings | undefined;
    for (const source of this.sources) {
      const found = await eachRow(file, source, {
        row: visit,
        deletion: ({ row, line }, findings) => {
          findings.accept(line, NO_FINDINGS);
          this.deletions.push({ table, file: file.name, id: String(row[idColumn]), line });
        },
      });
      if (source.role !== 'former') own = found;
    }
    return own;
  }

  /** Rejects a row whose identifier an earlier row has; a former row that a newer one replaces is no finding. */
  private refuseDuplicate<File extends SubmissionFile>(
    visited: VisitedRow<File>,
    column: string,
    findings: FileFindings,
  ): void {
    if (visited.isFormer) findings.accept(visited.line, NO_FINDINGS);
    else findings.reject(visited.line, [{ rule: 'duplicate-identifier', column, value: visited.raw(column) }]);
  }
}

/** The four columns of a relation as one text. */
function relationId({ PODSiteUUID, POUSiteUUID, StartDate, EndDate }: RelationRow): string {
  return JSON.stringify([PODSiteUUID, POUSiteUUID, StartDate ?? '', EndDate ?? '']);
}

/** The accepted rows of beneficialuses.csv. */
export function* stagedUses(staging: Staging): Iterable<BeneficialUseRow> {
  for (const { row } of staging.lookups('beneficialuses')) yield JSON.parse(row) as BeneficialUseRow; // Staged by stageLookups.
}
