// Reads all files of a submission into staging: lookups first, because amounts refer to them, then the amounts of each
// kind.

import { amountDefinitions } from '../format/amount-definitions';
import { amountsFileNames } from '../format/amount-files';
import type { SubmissionFindings } from '../format/findings';
import type { Checkpoints } from '../stage/checkpoints';
import type { Staging } from '../stage/staging';
import { referencesOfRecords, stageAmounts, type StagedAmounts } from './amount-rows';
import { UnreadableFileError } from './csv-records';
import type { RowSource } from './each-row';
import { applyDeletions } from './lookup-deletions';
import { stageLookups, type PendingOrganizations } from './lookup-rows';
import { namedOrganizations } from './refusals';

/** The staged rows, or why the submission is refused: one of its files cannot be read to its end. */
export type ReadSubmission =
  | { readonly kind: 'staged'; readonly staged: readonly StagedAmounts[] }
  | { readonly kind: 'unreadable'; readonly problem: string };

/** Findings go to those of the sources. Throws UnreadableFileError for a lookup file. */
export async function readSubmission(
  sources: readonly RowSource[],
  staging: Staging,
  checkpoints: Checkpoints,
): Promise<ReadSubmission> {
  const { organizations, deletions } = await stageLookups(sources, staging, checkpoints);
  const { staged, problem } = await stageAllAmounts(sources, staging, checkpoints);
  acceptOrganizations(staged, organizations);
  if (problem !== undefined) return { kind: 'unreadable', problem };
  noteFormerRows(sources);
  if (deletions.length === 0) return { kind: 'staged', staged };
  // A lookup that only deleted or replaced rows refer to can be deleted.
  const remaining = staged.map((amounts) => ({
    ...amounts,
    referenced: referencesOfRecords(amounts.definition, staging),
  }));
  applyDeletions(deletions, remaining, staging);
  return { kind: 'staged', staged: remaining };
}

/** Reading ends at a file that cannot be read to its end; what was staged before it still counts in the report. */
async function stageAllAmounts(
  sources: readonly RowSource[],
  staging: Staging,
  checkpoints: Checkpoints,
): Promise<{ readonly staged: readonly StagedAmounts[]; readonly problem?: string }> {
  const staged: StagedAmounts[] = [];
  for (const definition of Object.values(amountDefinitions)) {
    try {
      const amounts = await stageAmounts(definition, sources, staging, checkpoints);
      if (amounts !== undefined) staged.push(amounts);
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      return { staged, problem: error.message };
    }
  }
  return { staged };
}

/** Counts the rows of organizations.csv: those that no accepted amount names are left aside. */
function acceptOrganizations(staged: readonly StagedAmounts[], { findings, rows }: PendingOrganizations): void {
  const named = namedOrganizations(staged);
  for (const { row, line, warnings } of rows) {
    const value = row.OrganizationUUID;
    const isLeftAside = named.size > 0 && !named.has(value);
    const aside = isLeftAside ? [{ rule: 'other-organization', column: 'OrganizationUUID', value } as const] : [];
    findings?.accept(line, [...warnings, ...aside]);
  }
}

/** Notes rows that were accepted once and are not now, because the submission changed what they refer to. */
function noteFormerRows(sources: readonly RowSource[]): void {
  const reported = sources.find(({ role }) => role !== 'former')?.findings;
  const formers = sources.filter(({ role }) => role === 'former').flatMap(({ findings }) => findings.files);
  for (const { file, rejected } of formers) {
    if (rejected > 0)
      reported?.note(`${file}: ${rejected} rows of the former release do not fit any more and are left out.`);
  }
}

/** A release holds what can be asked for; lookup rows that nothing refers to change nothing of it. */
export function noteLookupsLeftOut(findings: SubmissionFindings): void {
  const lookups = findings.files.filter(({ file, accepted }) => accepted > 0 && !amountsFileNames.includes(file));
  if (lookups.length === 0) return;
  const names = lookups.map(({ file }) => file).join(', ');
  findings.note(
    `Nothing was published, so new rows of ${names} to which no amount refers were not kept: send them with the amounts that need them.`,
  );
}
