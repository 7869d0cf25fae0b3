// Applies the rows of a merge that delete lookups, once all rows are staged (submissions.md, 5).

import { type FileFindings } from '../format/findings';
import type { RuleName } from '../format/rules';
import { lookupFiles } from '../format/submission-files';
import type { LookupTable, StagedLookups } from '../stage/staged-lookups';
import type { Staging } from '../stage/staging';
import type { StagedAmounts } from './amount-rows';

/** A row of a merge that deletes a lookup. Whether the deletion is allowed is known only once all rows are staged. */
export interface LookupDeletion {
  readonly table: LookupTable;
  readonly id: string;
  /** The identifier as findings show it. */
  readonly displayedId: string;
  readonly line: number;
}

/**
 * Tables whose rows refer to other tables come first, so that one submission can delete both a row and the row to which
 * it refers.
 */
const DELETION_ORDER: readonly LookupTable[] = [
  'relations',
  'reportingunits',
  'sites',
  'beneficialuses',
  'watersources',
  'methods',
  'variables',
  'organizations',
];

/** `ownFindings` are the findings about the submission's files. Returns the number of deleted relations. */
export function applyDeletions(
  deletions: readonly LookupDeletion[],
  staged: readonly StagedAmounts[],
  staging: Staging,
  ownFindings: readonly FileFindings[],
): { readonly relations: number } {
  let relations = 0;
  for (const table of DELETION_ORDER) {
    const requested = deletions.filter((deletion) => deletion.table === table);
    if (requested.length === 0) continue;
    const referredNumbers = findReferredNumbers(table, staging);
    const isReferred = (number: number): boolean =>
      referredNumbers.has(number) || staged.some(({ referenced }) => referenced.marks[table][number] === 1);
    const findings = ownFindings.find(({ file }) => file === lookupFiles[table].name);
    for (const { id, displayedId, line } of requested) {
      const problem = remove(staging.getLookups(table), id, isReferred);
      if (problem === undefined && table === 'relations') relations++;
      if (problem !== undefined)
        findings?.rejectAccepted(line, { rule: problem, column: null, value: displayedId }, []);
    }
  }
  return { relations };
}

function remove(lookups: StagedLookups, id: string, isReferred: (number: number) => boolean): RuleName | undefined {
  const number = lookups.findNumber(id);
  if (number === undefined) return 'nothing-to-delete';
  if (isReferred(number)) return 'still-referred';
  lookups.remove(id);
  return undefined;
}

/** The staged numbers of the sites to which relations refer, or of the water sources to which sites refer. */
function findReferredNumbers(table: LookupTable, staging: Staging): ReadonlySet<number | undefined> {
  const referredNumbers = new Set<number | undefined>();
  if (table === 'sites') {
    const sites = staging.getLookups('sites');
    for (const { readRow: row } of staging.getLookups('relations').readRows()) {
      const { PODSiteUUID, POUSiteUUID } = row();
      referredNumbers.add(sites.findNumber(PODSiteUUID)).add(sites.findNumber(POUSiteUUID));
    }
  } else if (table === 'watersources') {
    for (const { waterSources } of staging.getLookups('sites').readRows())
      for (const waterSource of waterSources) referredNumbers.add(waterSource);
  }
  return referredNumbers;
}
