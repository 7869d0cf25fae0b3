// Whose a submission is, and why it is refused whole (submissions.md, 5), as a sentence without its full stop.

import type { Organization } from '../../shared/records/organization';
import { failure, success, type Result } from '../../shared/values/result';
import { stateName } from '../../shared/values/states';
import type { StagedAmounts } from './amount-rows';
import { amountsFileNames, type OrganizationRow } from '../format/submission-files';
import type { FileFindings } from '../format/findings';
import { rules, type RuleName } from '../format/rules';
import { percent } from '../format/report';
import type { Staging } from '../stage/staging';

/** The one organization that the accepted amounts name; fails with why the submission is refused. */
export function findOrganization(staged: readonly StagedAmounts[], staging: Staging): Result<Organization> {
  const named = namedOrganizations(staged);
  if (staged.length === 0) return failure(`the folder has none of ${amountsFileNames.join(', ')}`);
  if (staging.lastNumber('organizations') === 0) {
    return failure('organizations.csv is missing or has no row that could be accepted, so no amount has an owner');
  }
  if (named.size > 1) {
    return failure(`its amounts name ${named.size} organizations (${[...named].sort().join(', ')}); send one each`);
  }
  const [uuid] = named;
  return uuid === undefined ? failure(noneAccepted(submittedFindings(staged))) : success(organizationOf(uuid, staging));
}

function organizationOf(uuid: string, staging: Staging): Organization {
  const number = staging.findNumber('organizations', uuid);
  if (number === undefined) throw new Error(`the organization ${uuid} is not staged`);
  const { row } = staging.lookup('organizations', number);
  const { State: state, ...members } = JSON.parse(row) as OrganizationRow; // Staged by stageLookups.
  return { ...members, OrganizationState: state, State: stateName(state) };
}

/** Why the data sets are refused, if they are; known after building, which finds rows with one key. */
export function overRejectedShare(staged: readonly StagedAmounts[], limit: number): string | undefined {
  const own = submittedFindings(staged);
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

function submittedFindings(staged: readonly StagedAmounts[]): readonly FileFindings[] {
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

export function namedOrganizations(staged: readonly StagedAmounts[]): ReadonlySet<string> {
  return new Set(staged.flatMap(({ organizations }) => [...organizations]));
}
