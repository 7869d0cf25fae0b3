// Stages the rows of a submission's lookup files: each row is accepted or rejected (submissions.md, 4).

import { RowShape, type RowOf, type SubmissionFile } from '../format/column';
import { lookupFiles, type BeneficialUseRow, type RelationRow } from '../format/submission-files';
import { joinFindings, NO_FINDINGS, type FileFindings, type RowFinding } from '../format/findings';
import type { Checkpoints, Resumable } from '../stage/checkpoints';
import { stageRow } from '../stage/staged-amounts';
import type { PlaceTable } from '../stage/staged-places';
import type { RelationKey } from '../stage/staged-relations';
import type { Staging } from '../stage/staging';
import type { LookupTable } from '../stage/staging-database';
import { relationReasons, resolveWaterSources } from './resolve-references';
import { eachRow, type RowSource } from './rows/each-row';
import type { VisitedRow } from './rows/visited-row';

/** Rows of organizations.csv that are not accepted yet: only the amounts say which one is the submission's. */
export interface PendingOrganizations {
  readonly findings: FileFindings | undefined;
  readonly rows: readonly Pick<VisitedRow<typeof lookupFiles.organizations>, 'row' | 'line' | 'warnings'>[];
}

/** A row of a merge that deletes a lookup; whether it can be deleted is known when everything is staged. */
export interface LookupDeletion {
  readonly table: LookupTable | 'relations';
  readonly file: string;
  readonly id: string;
  readonly line: number;
  readonly findings: FileFindings;
}

/** Stages the lookup rows of all sources; of two rows with one identifier the first wins. */
export async function stageLookups(
  sources: readonly RowSource[],
  staging: Staging,
  checkpoints: Checkpoints,
): Promise<{ readonly organizations: PendingOrganizations; readonly deletions: readonly LookupDeletion[] }> {
  const stager = new LookupStager(sources, staging);
  checkpoints.attach('lookups', stager);
  const organizations = await stager.stageOrganizations();
  await stager.stageById(lookupFiles.variables, 'variables', 'VariableSpecificUUID');
  await stager.stageById(lookupFiles.methods, 'methods', 'MethodUUID');
  await stager.stageById(lookupFiles.watersources, 'watersources', 'WaterSourceUUID');
  await stager.stageById(lookupFiles.beneficialuses, 'beneficialuses', 'BeneficialUseCategory');
  await stager.stagePlaces(SITES);
  await stager.stagePlaces(REPORTING_UNITS);
  await stager.stageRelations();
  checkpoints.finish('lookups');
  return { organizations, deletions: stager.allDeletions() };
}

const SITES = { file: lookupFiles.sites, table: 'sites', idColumn: 'SiteUUID' } as const;
const REPORTING_UNITS = {
  file: lookupFiles.reportingunits,
  table: 'reportingunits',
  idColumn: 'ReportingUnitUUID',
} as const;

/** A deletion as a checkpoint saves it: its file tells the findings that it belongs to. */
type NamedDeletion = Omit<LookupDeletion, 'findings'>;

interface LookupSource<File extends SubmissionFile> {
  readonly file: File;
  readonly table: LookupDeletion['table'];
  /** What a deletion names. */
  readonly idOf: (row: RowOf<File>) => string;
}

interface PlaceSource<File extends SubmissionFile> {
  readonly file: File;
  readonly table: PlaceTable;
  readonly idColumn: keyof RowOf<File> & string;
}

class LookupStager implements Resumable {
  private organizations: PendingOrganizations['rows'][number][] = [];
  private deletions: NamedDeletion[] = [];

  constructor(
    private readonly sources: readonly RowSource[],
    private readonly staging: Staging,
  ) {}

  save() {
    const { organizations, deletions } = this;
    return { organizations, deletions };
  }

  restore(saved: unknown): void {
    const { organizations, deletions } = saved as ReturnType<this['save']>; // Written by `save`.
    [this.organizations, this.deletions] = [organizations, deletions];
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
    const findings = await this.stageById(lookupFiles.organizations, 'organizations', 'OrganizationUUID', (visited) => {
      const { row, line, warnings, isFormer } = visited;
      if (!isFormer) this.organizations.push({ row, line, warnings });
    });
    return { findings, rows: this.organizations };
  }

  /** Gives the findings of the submission's own file; rows are accepted at once if `accept` is left out. */
  async stageById<File extends SubmissionFile>(
    file: File,
    table: Exclude<LookupTable, PlaceTable>,
    idColumn: keyof RowOf<File> & string,
    accept?: (visited: VisitedRow<File>) => void,
  ): Promise<FileFindings | undefined> {
    return this.eachRow({ file, table, idOf: (row) => String(row[idColumn]) }, (visited, findings) => {
      const { row, line, warnings } = visited;
      const id = String(row[idColumn]);
      if (this.staging.addLookup(table, id, JSON.stringify(row))) {
        this.staging.sources.add(file.name, id, visited.source.toString());
        if (accept === undefined) findings.accept(line, warnings);
        else accept(visited);
      } else {
        rejectDuplicate(visited, () => duplicateOf(visited, idColumn), findings);
      }
    });
  }

  async stagePlaces<File extends SubmissionFile>({ file, table, idColumn }: PlaceSource<File>): Promise<void> {
    const shape = new RowShape(file);
    await this.eachRow({ file, table, idOf: (row) => String(row[idColumn]) }, (visited, findings) => {
      const { key: id, references, source, geometry } = visited;
      const { known, numbers: waterSources, warnings } = resolveWaterSources(references, this.staging);
      const row = warnings.length === 0 ? visited.values : stageRow(shape, { ...visited.row, WaterSourceUUIDs: known });
      if (this.staging.addPlace(table, { id, row, source, waterSources, geometry })) {
        findings.accept(visited.line, joinFindings(visited.warnings, warnings));
      } else {
        rejectDuplicate(visited, () => duplicateOf(visited, idColumn), findings);
      }
    });
    this.staging.endPlaces();
  }

  async stageRelations(): Promise<void> {
    const file = lookupFiles.relations;
    await this.eachRow(
      { file, table: 'relations', idOf: (row) => JSON.stringify(relationKey(row)) },
      (visited, findings) => {
        const { row, line, warnings } = visited;
        const source = visited.source.toString();
        const reasons = relationReasons(row, this.staging);
        if (reasons.length > 0) {
          findings.reject(line, reasons);
        } else if (this.staging.relations.add(relationKey(row), source)) {
          findings.accept(line, warnings);
        } else {
          rejectDuplicate(visited, () => ({ rule: 'duplicate-relation', column: null, value: source }), findings);
        }
      },
    );
    this.staging.relations.index();
  }

  /** Calls `visit` for each row that does not delete; gives the findings of the submission's own file. */
  private async eachRow<File extends SubmissionFile>(
    { file, table, idOf }: LookupSource<File>,
    visit: (visited: VisitedRow<File>, findings: FileFindings) => void,
  ): Promise<FileFindings | undefined> {
    let own: FileFindings | undefined;
    for (const source of this.sources) {
      const found = await eachRow(file, source, {
        row: visit,
        deletion: ({ row, line }, findings) => {
          findings.accept(line, NO_FINDINGS);
          this.deletions.push({ table, file: file.name, id: idOf(row), line });
        },
      });
      if (source.role !== 'former') own = found;
    }
    return own;
  }
}

function duplicateOf(visited: Pick<VisitedRow<SubmissionFile>, 'raw'>, column: string): RowFinding {
  return { rule: 'duplicate-identifier', column, value: visited.raw(column) };
}

/** A former row that a newer one replaces is no finding. */
function rejectDuplicate(
  { isFormer, line }: Pick<VisitedRow<SubmissionFile>, 'isFormer' | 'line'>,
  reasonOf: () => RowFinding,
  findings: FileFindings,
): void {
  if (isFormer) findings.accept(line, NO_FINDINGS);
  else findings.reject(line, [reasonOf()]);
}

function relationKey({ PODSiteUUID, POUSiteUUID, StartDate, EndDate }: RelationRow): RelationKey {
  return [PODSiteUUID, POUSiteUUID, StartDate ?? '', EndDate ?? ''];
}

export function* stagedUses(staging: Staging): Iterable<BeneficialUseRow> {
  for (const { row } of staging.lookups('beneficialuses')) yield JSON.parse(row) as BeneficialUseRow; // Staged above.
}
