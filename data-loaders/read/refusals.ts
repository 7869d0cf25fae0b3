// When a submission is refused whole (submissions.md, 5), each with the sentence that says why.

import type { StagedAmounts } from './amount-rows';
import { amountsFileNames } from '../format/amount-files';
import type { FileFindings } from '../format/findings';
import { rules, type RuleName } from '../format/rules';
import { percent } from '../format/wording';
import type { Staging } from '../stage/staging';
import type { PendingOrganizations } from './lookup-rows';

/** The message is a sentence without its full stop. */
export class RefusedError extends Error {}

/** Counts the rows of organizations.csv: those that no accepted amount names are left aside. */
export function acceptOrganizations(staged: readonly StagedAmounts[], { findings, rows }: PendingOrganizations): void {
  const named = namedOrganizations(staged);
  for (const { row, line, warnings } of rows) {
    const isLeftAside = named.size > 0 && !named.has(row.OrganizationUUID);
    const value = row.OrganizationUUID;
    const aside = isLeftAside ? [{ rule: 'other-organization', column: 'OrganizationUUID', value } as const] : [];
    findings?.accept(line, [...warnings, ...aside]);
  }
}

/** The identifier of the one organization that the accepted amounts name. */
export function findOrganization(staged: readonly StagedAmounts[], staging: Staging): string {
  const named = namedOrganizations(staged);
  if (staged.length === 0) {
    throw new RefusedError(`the folder has none of ${amountsFileNames.join(', ')}`);
  }
  if (staging.lastNumber('organizations') === 0) {
    throw new RefusedError(
      'organizations.csv is missing or has no row that could be accepted, so no amount has an owner',
    );
  }
  if (named.size > 1) {
    throw new RefusedError(
      `its amounts name ${named.size} organizations (${[...named].sort().join(', ')}); send one each`,
    );
  }
  const [organization] = named;
  if (organization === undefined) throw new RefusedError(noneAccepted(ownFindings(staged)));
  return organization;
}

/** Why it is refused, if it is. Counted once all rows are known, those with a key that an earlier row has among them. */
export function overRejectedShare(staged: readonly StagedAmounts[], limit: number): string | undefined {
  const own = ownFindings(staged);
  if (own.length > 0 && own.every(({ accepted }) => accepted === 0)) return noneAccepted(own);
  for (const { file, accepted, rejected } of own) {
    const share = rejected / (accepted + rejected);
    // A data set of which no row is accepted stays as it was when another is published.
    if (accepted > 0 && share > limit) {
      return `${rejected} of the ${accepted + rejected} rows of ${file} are rejected, ${percent(share)} where the limit is ${percent(limit)}`;
    }
  }
  return undefined;
}

/** Of the amounts files that the submission itself has. */
function ownFindings(staged: readonly StagedAmounts[]): readonly FileFindings[] {
  return staged.flatMap(({ findings }) => (findings === undefined ? [] : [findings]));
}

function noneAccepted(own: readonly FileFindings[]): string {
  const files = own.map((findings) => {
    const { file, read, rejected } = findings.counted();
    return `${rejected} of ${read} rows of ${file}${mainReason(findings)}`;
  });
  return `no amount row could be accepted (rejected: ${files.join(', ')})`;
}

/** Why most of a file's rows are rejected, as the end of a sentence. */
function mainReason(findings: FileFindings): string {
  const missing = findings.listed().flatMap(({ rule, column }) => (rule === 'missing-column' ? (column ?? []) : []));
  if (missing.length > 0) return `, which lacks ${missing.join(' and ')}`;
  const [most] = Object.entries(findings.counted().reasons)
    .map(([rule, count]) => ({ ...rules[rule as RuleName], count })) // Its keys are rules.
    .filter(({ severity }) => severity === 'rejected')
    .sort((a, b) => b.count - a.count);
  return most === undefined ? '' : `, mostly because: ${most.sentence.replace(/\.$/, '')}`;
}

function namedOrganizations(staged: readonly StagedAmounts[]): ReadonlySet<string> {
  return new Set(staged.flatMap(({ organizations }) => [...organizations]));
}
