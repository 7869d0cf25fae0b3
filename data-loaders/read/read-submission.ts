// Reads a submission into staging: lookups first, because amounts refer to them, then the amounts of each kind.

import { amountDefinitions } from '../format/amount-definitions';
import { amountsFileNames } from '../format/submission-files';
import type { SubmissionFindings } from '../format/findings';
import type { Checkpoints } from '../stage/checkpoints';
import type { Staging } from '../stage/staging';
import { referencesOfRecords, stageAmounts, type StagedAmounts } from './amount-rows';
import type { RowSource } from './rows/each-row';
import { applyDeletions } from './lookup-deletions';
import { stageLookups, type PendingOrganizations } from './lookup-rows';
import { namedOrganizations } from './refusals';

/** Findings go to those of the sources. Throws UnreadableFileError for a file that cannot be read to its end. */
export async function readSubmission(
  sources: readonly RowSource[],
  staging: Staging,
  checkpoints: Checkpoints,
): Promise<readonly StagedAmounts[]> {
  const { organizations, deletions } = await stageLookups(sources, staging, checkpoints);
  const staged: StagedAmounts[] = [];
  try {
    for (const definition of Object.values(amountDefinitions)) {
      const amounts = await stageAmounts(definition, sources, staging, checkpoints);
      if (amounts !== undefined) staged.push(amounts);
    }
  } finally {
    // What was read before a file that cannot be read to its end still counts in the report.
    acceptOrganizations(staged, organizations);
  }
  noteFormerRows(sources);
  if (deletions.length === 0) return staged;
  // A lookup that only deleted or replaced rows refer to can be deleted.
  const remaining = staged.map((amounts) => ({
    ...amounts,
    referenced: referencesOfRecords(amounts.definition, staging),
  }));
  applyDeletions(deletions, remaining, staging);
  return remaining;
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
