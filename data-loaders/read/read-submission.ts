// Stages the rows of a submission: first lookups, because amounts refer to them, then the amounts of each kind.

import { amountDefinitions } from '../format/amount-definitions';
import { type FileFindings, type SubmissionFindings } from '../format/findings';
import { amountsFileNames, lookupFiles } from '../format/submission-files';
import type { Staging } from '../stage/staging';
import { collectReferences, stageAmounts, type StagedAmounts } from './amount-rows';
import { applyDeletions } from './delete-lookups';
import type { RowSource } from './file-rows';
import { collectOrganizations } from './find-organization';
import { stageLookups } from './lookup-rows';

/** Adds findings to the findings of the sources. Throws UnreadableFileError if a file cannot be read completely. */
export async function readSubmission(
  sources: readonly RowSource[],
  staging: Staging,
): Promise<readonly StagedAmounts[]> {
  const { organizations, deletions } = await stageLookups(sources, staging);
  // Only the submission's own files are reported, and only their rows can delete.
  const ownFiles = sources.filter(({ role }) => role !== 'previous').flatMap(({ findings }) => findings.files);
  const staged: StagedAmounts[] = [];
  try {
    for (const definition of Object.values(amountDefinitions)) {
      const amounts = await stageAmounts(definition, sources, staging);
      if (amounts !== undefined) staged.push(amounts);
    }
  } finally {
    // Rows that were read before the file proved unreadable still count in the report.
    countOrganizations(staged, organizations, ownFiles);
  }
  noteOutdatedRows(sources);
  if (deletions.length === 0) return staged;
  // A lookup can be deleted if only deleted or replaced rows refer to it.
  const remaining = staged.map((amounts) => ({
    ...amounts,
    referenced: collectReferences(amounts.definition, staging),
  }));
  const { relations: deletedRelations } = applyDeletions(deletions, remaining, staging, ownFiles);
  return remaining.map((amounts) => ({ ...amounts, deletedRelations }));
}

/** Counts the rows of organizations.csv. Rows to which no accepted amount refers are ignored, with a warning. */
function countOrganizations(
  staged: readonly StagedAmounts[],
  organizations: readonly { readonly id: string; readonly line: number }[],
  ownFiles: readonly FileFindings[],
): void {
  const named = collectOrganizations(staged);
  const findings = ownFiles.find(({ file }) => file === lookupFiles.organizations.name);
  for (const { id: value, line } of organizations) {
    const isLeftAside = named.size > 0 && !named.has(value);
    findings?.addRow(line, isLeftAside ? [{ rule: 'other-organization', column: 'OrganizationUUID', value }] : []);
  }
}

/**
 * Notes rows that were accepted before but no longer are, because the submission changed something to which they refer.
 */
function noteOutdatedRows(sources: readonly RowSource[]): void {
  const ownFindings = sources.find(({ role }) => role !== 'previous')?.findings;
  const previousFiles = sources.filter(({ role }) => role === 'previous').flatMap(({ findings }) => findings.files);
  for (const { file, rejected } of previousFiles) {
    if (rejected > 0)
      ownFindings?.note(`${file}: ${rejected} rows from the previous release are no longer valid and were left out.`);
  }
}

/** Notes lookup rows to which nothing refers, because a release keeps only data that can be queried. */
export function noteOmittedLookups(findings: SubmissionFindings): void {
  const lookups = findings.files.filter(({ file, accepted }) => accepted > 0 && !amountsFileNames.includes(file));
  if (lookups.length === 0) return;
  const names = lookups.map(({ file }) => file).join(', ');
  findings.note(
    `Nothing was published, so new rows of ${names} to which no amount refers were not kept: send them with the amounts that need them.`,
  );
}
