// Takes in the lookup files of a submission: each row is accepted into the staging database or rejected (submissions.md, 4).

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
  type OrganizationRow,
  type RelationRow,
} from '../format/lookup-files';
import {
  normalisePlainLookup,
  normaliseReportingUnit,
  normaliseSite,
  relationReasons,
  type NormalisedLookup,
} from './normalise-lookups';
import type { FileFindings, RowFinding } from '../format/findings';
import type { Checkpoints, Resumable } from '../stage/checkpoints';
import type { Staging } from '../stage/staging';
import type { LookupTable } from '../stage/staging-database';
import { eachRow, type ReadingContext, type VisitedRow } from './each-row';
import { References } from '../stage/references';

/** Rows of organizations.csv wait: which one is the submission's, only its amounts say. */
export interface PendingOrganizations {
  readonly findings: FileFindings | undefined;
  readonly rows: readonly {
    readonly row: OrganizationRow;
    readonly line: number;
    readonly warnings: readonly RowFinding[];
  }[];
}

/** Rows of a merge that ask to delete; what they name is only known when everything is staged. */
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

/** `contexts` are the submission's own and, in a merge, those of the releases it is laid over: the first row of an id wins. */
export async function stageLookups(
  contexts: readonly ReadingContext[],
  staging: Staging,
  checkpoints: Checkpoints,
): Promise<StagedLookups> {
  const stager = new LookupStager(contexts, staging);
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

/** The findings that a deletion goes to are told by its file. */
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
    private readonly contexts: readonly ReadingContext[],
    private readonly staging: Staging,
  ) {
    this.references = new References(staging);
  }

  save(): SavedLookups {
    const { organizations, deletions } = this;
    return { organizations, deletions };
  }

  restore(saved: unknown): void {
    const { organizations, deletions } = saved as SavedLookups; // Of `save`.
    this.organizations = [...organizations];
    this.deletions = [...deletions];
  }

  /** Only the submission itself can ask to delete. */
  allDeletions(): readonly LookupDeletion[] {
    const own = this.contexts.filter(({ role }) => role !== 'former').flatMap(({ files }) => files);
    return this.deletions.flatMap((deletion) => {
      const findings = own.find(({ file }) => file === deletion.file);
      return findings === undefined ? [] : [{ ...deletion, findings }];
    });
  }

  async stageOrganizations(): Promise<PendingOrganizations> {
    const found = await this.eachRow(organizationsFile, 'organizations', 'OrganizationUUID', (visited, findings) => {
      const { row, line, warnings } = visited;
      if (!this.add('organizations', organizationsFile.name, row.OrganizationUUID, visited, null)) {
        this.refuseDuplicate(visited, 'OrganizationUUID', findings);
      } else if (visited.isFormer) {
        findings.accept(line, []);
      } else {
        this.organizations.push({ row, line, warnings });
      }
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
      if (this.add(table, file.name, String(row[idColumn]), { ...visited, row }, geometry)) {
        findings.accept(visited.line, [...visited.warnings, ...warnings]);
      } else {
        this.refuseDuplicate(visited, idColumn, findings);
      }
    });
  }

  async stageRelations(): Promise<void> {
    const file = relationsFile.name;
    for (const context of this.contexts) {
      await eachRow(relationsFile, context, {
        deletion: ({ row, line }, findings) => {
          findings.accept(line, []);
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
      findings.accept(line, []);
    } else {
      findings.reject(line, [{ rule: 'duplicate-relation', column: null, value: source }]);
    }
  }

  /** Calls `visit` for every row of every context; the findings are those of the submission's own file. */
  private async eachRow<File extends SubmissionFile>(
    file: File,
    table: LookupTable,
    idColumn: keyof RowOf<File> & string,
    visit: (visited: VisitedRow<File>, findings: FileFindings) => void,
  ): Promise<FileFindings | undefined> {
    let own: FileFindings | undefined;
    for (const context of this.contexts) {
      const found = await eachRow(file, context, {
        row: visit,
        deletion: ({ row, line }, findings) => {
          findings.accept(line, []);
          this.deletions.push({ table, file: file.name, id: String(row[idColumn]), line });
        },
      });
      if (context.role !== 'former') own = found;
    }
    return own;
  }

  private add<File extends SubmissionFile>(
    table: LookupTable,
    file: string,
    id: string,
    { row, source }: VisitedRow<File>,
    geometry: Uint8Array | null,
  ): boolean {
    const isAdded = this.staging.addLookup(table, id, JSON.stringify(row), geometry);
    if (isAdded) this.staging.addSource(file, id, source);
    return isAdded;
  }

  /** A former row that a newer one replaces is no finding. */
  private refuseDuplicate<File extends SubmissionFile>(
    visited: VisitedRow<File>,
    column: string,
    findings: FileFindings,
  ): void {
    if (visited.isFormer) findings.accept(visited.line, []);
    else findings.reject(visited.line, [{ rule: 'duplicate-identifier', column, value: visited.raw(column) }]);
  }
}

/** The four columns of a relation as one text. */
function relationId({ PODSiteUUID, POUSiteUUID, StartDate, EndDate }: RelationRow): string {
  return JSON.stringify([PODSiteUUID, POUSiteUUID, StartDate ?? '', EndDate ?? '']);
}
