// Applies the rows of a merge that delete lookups, when everything is staged (submissions.md, 5).

import type { RuleName } from '../format/rules';
import type { RelationKey } from '../stage/staged-tables';
import type { Staging } from '../stage/staging';
import type { StagedAmounts } from './amount-rows';
import type { LookupDeletion } from './lookup-rows';

/** Relations first, then places, then what places refer to, so that one submission can take out all of them. */
const ORDER: readonly LookupDeletion['table'][] = [
  'relations',
  'sites',
  'reportingunits',
  'watersources',
  'variables',
  'methods',
  'beneficialuses',
  'organizations',
];

export function applyDeletions(
  deletions: readonly LookupDeletion[],
  staged: readonly StagedAmounts[],
  staging: Staging,
): void {
  for (const table of ORDER) {
    const requested = deletions.filter((deletion) => deletion.table === table);
    if (requested.length === 0) continue;
    const isReferred = referredTo(table, staged, staging);
    for (const deletion of requested) {
      const problem = remove(deletion, isReferred, staging);
      const value = deletion.id;
      if (problem !== undefined)
        deletion.findings.rejectAccepted(deletion.line, { rule: problem, column: null, value }, []);
    }
  }
}

function remove(
  { table, file, id }: LookupDeletion,
  isReferred: (id: string, stagedNumber: number) => boolean,
  staging: Staging,
): RuleName | undefined {
  if (table === 'relations') {
    const key = JSON.parse(id) as RelationKey; // Its text names the relation.
    return staging.relations.remove(key) ? undefined : 'nothing-to-delete';
  }
  const stagedNumber = staging.findNumber(table, id);
  if (stagedNumber === undefined) return 'nothing-to-delete';
  if (isReferred(id, stagedNumber)) return 'still-referred';
  staging.removeLookup(table, id);
  staging.sources.remove(file, id);
  return undefined;
}

/** Amounts refer to everything, relations to sites, sites to water sources, nothing to categories of uses. */
function referredTo(
  table: LookupDeletion['table'],
  staged: readonly StagedAmounts[],
  staging: Staging,
): (id: string, stagedNumber: number) => boolean {
  const isReferredByAmount = (stagedNumber: number): boolean =>
    table !== 'relations' && staged.some(({ referenced }) => referenced.has(table, stagedNumber));
  if (table === 'sites') {
    const { relations } = staging;
    return (id, number) => isReferredByAmount(number) || relations.hasAny(id);
  }
  if (table === 'watersources') {
    const referredBySites = sourcesOfSites(staging);
    return (_, number) => isReferredByAmount(number) || referredBySites.has(number);
  }
  return (_, number) => isReferredByAmount(number);
}

/** Their staged numbers. */
function sourcesOfSites(staging: Staging): ReadonlySet<number> {
  const sources = new Set<number>();
  for (const { waterSources } of staging.placeOrder('sites')) for (const source of waterSources) sources.add(source);
  return sources;
}
