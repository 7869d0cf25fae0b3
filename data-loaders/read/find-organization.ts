// Finds the organization to which a submission belongs.

import type { Organization } from '../../shared/records/records';
import { failure, type Result, success } from '../../shared/values/result';
import { getStateName } from '../../shared/values/states';
import { amountsFileNames } from '../format/submission-files';
import type { Staging } from '../stage/staging';
import { type StagedAmounts } from './amount-rows';
import { describeNoneAccepted, listSubmittedFindings } from './check-submission';

/** The one organization of all accepted amounts. A failure is the reason to refuse the submission. */
export function findOrganization(staged: readonly StagedAmounts[], staging: Staging): Result<Organization> {
  const named = collectOrganizations(staged);
  if (staged.length === 0) return failure(`the folder has none of ${amountsFileNames.join(', ')}`);
  if (staging.getLookups('organizations').lastNumber === 0) {
    return failure(
      'organizations.csv is missing or has no row that could be accepted, so no amount belongs to an organization',
    );
  }
  if (named.size > 1) {
    return failure(
      `its amounts are from ${named.size} organizations (${[...named].sort().join(', ')}); send a separate submission for each`,
    );
  }
  const [uuid] = named;
  return uuid === undefined
    ? failure(describeNoneAccepted(listSubmittedFindings(staged)))
    : success(readOrganization(uuid, staging));
}

/** The reason to refuse a submission for this organization, if its sender may submit only for a different one (D76). */
export function checkSender(organization: string, permitted: string | undefined): string | undefined {
  if (permitted === undefined || organization === permitted) return undefined;
  return (
    `its amounts are from the organization ${organization}, but it was sent with a key for ${permitted}; ` +
    `send it with a key for ${organization}`
  );
}

function readOrganization(uuid: string, staging: Staging): Organization {
  for (const { id, readRow: row } of staging.getLookups('organizations').readRows()) {
    if (id !== uuid) continue;
    const { State: state, ...members } = row();
    return { ...members, OrganizationState: state, State: getStateName(state) };
  }
  throw new Error(`the organization ${uuid} is not staged`);
}

export function collectOrganizations(staged: readonly StagedAmounts[]): ReadonlySet<string> {
  return new Set(staged.flatMap(({ organizations }) => [...organizations]));
}
