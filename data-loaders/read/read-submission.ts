// Reads a submission into staging: lookups first, because amounts refer to them, then the amounts of each kind. Says
// whose a submission is, and why it is refused whole (submissions.md, 5), as a sentence without its full stop.

import type { Organization } from '../../shared/records/records';
import { failure, type Result, success } from '../../shared/values/result';
import { getStateName } from '../../shared/values/states';
import { amountDefinitions } from '../format/amount-definitions';
import { appendHint, type FileFindings, type SubmissionFindings } from '../format/findings';
import { formatNumber, formatPercent } from '../format/report';
import { type RuleName, rules } from '../format/rules';
import { amountsFileNames, lookupFiles } from '../format/submission-files';
import type { Staging } from '../stage/staging';
import { collectReferences, stageAmounts, type StagedAmounts } from './amount-rows';
import type { RowSource } from './file-rows';
import { applyDeletions, stageLookups } from './lookup-rows';

/** Findings go to those of the sources. Throws UnreadableFileError for a file that cannot be read to its end. */
export async function readSubmission(
  sources: readonly RowSource[],
  staging: Staging,
): Promise<readonly StagedAmounts[]> {
  const { organizations, deletions } = await stageLookups(sources, staging);
  // Only the submission itself is reported on, and can delete.
  const ownFiles = sources.filter(({ role }) => role !== 'former').flatMap(({ findings }) => findings.files);
  const staged: StagedAmounts[] = [];
  try {
    for (const definition of Object.values(amountDefinitions)) {
      const amounts = await stageAmounts(definition, sources, staging);
      if (amounts !== undefined) staged.push(amounts);
    }
  } finally {
    // What was read before a file that cannot be read to its end still counts in the report.
    countOrganizations(staged, organizations, ownFiles);
  }
  noteOutdatedRows(sources);
  if (deletions.length === 0) return staged;
  // A lookup that only deleted or replaced rows refer to can be deleted.
  const remaining = staged.map((amounts) => ({
    ...amounts,
    referenced: collectReferences(amounts.definition, staging),
  }));
  applyDeletions(deletions, remaining, staging, ownFiles);
  return remaining;
}

/** Counts the rows of organizations.csv: those that no accepted amount names are left aside. */
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

/** Notes rows that were accepted once and are not now, because the submission changed what they refer to. */
function noteOutdatedRows(sources: readonly RowSource[]): void {
  const ownFindings = sources.find(({ role }) => role !== 'former')?.findings;
  const previousFiles = sources.filter(({ role }) => role === 'former').flatMap(({ findings }) => findings.files);
  for (const { file, rejected } of previousFiles) {
    if (rejected > 0)
      ownFindings?.note(`${file}: ${rejected} rows of the former release do not fit any more and are left out.`);
  }
}

/** A release holds what can be asked for; lookup rows that nothing refers to change nothing of it. */
export function noteOmittedLookups(findings: SubmissionFindings): void {
  const lookups = findings.files.filter(({ file, accepted }) => accepted > 0 && !amountsFileNames.includes(file));
  if (lookups.length === 0) return;
  const names = lookups.map(({ file }) => file).join(', ');
  findings.note(
    `Nothing was published, so new rows of ${names} to which no amount refers were not kept: send them with the amounts that need them.`,
  );
}

/** The one organization that the accepted amounts name; fails with why the submission is refused. */
export function findOrganization(staged: readonly StagedAmounts[], staging: Staging): Result<Organization> {
  const named = collectOrganizations(staged);
  if (staged.length === 0) return failure(`the folder has none of ${amountsFileNames.join(', ')}`);
  if (staging.getLookups('organizations').lastNumber === 0) {
    return failure('organizations.csv is missing or has no row that could be accepted, so no amount has an owner');
  }
  if (named.size > 1) {
    return failure(`its amounts name ${named.size} organizations (${[...named].sort().join(', ')}); send one each`);
  }
  const [uuid] = named;
  return uuid === undefined
    ? failure(describeNoneAccepted(listSubmittedFindings(staged)))
    : success(readOrganization(uuid, staging));
}

function readOrganization(uuid: string, staging: Staging): Organization {
  for (const { id, readRow: row } of staging.getLookups('organizations').readRows()) {
    if (id !== uuid) continue;
    const { State: state, ...members } = row();
    return { ...members, OrganizationState: state, State: getStateName(state) };
  }
  throw new Error(`the organization ${uuid} is not staged`);
}

/**
 * Why a submission is refused whose places lie in another coordinate system: without them its amounts are rejected, or
 * its rights lose their sites, for reasons that are not theirs.
 */
export function checkProjectedShare({ files }: SubmissionFindings, limit: number): string | undefined {
  for (const findings of files) {
    const { file, read, reasons } = findings.toCounts();
    const count = reasons['projected-system'] ?? 0;
    if (count <= read * limit) continue;
    const first = findings.list().find(({ rule }) => rule === 'projected-system');
    return (
      `${formatNumber(count)} of the ${formatNumber(read)} rows of ${file} have coordinates of another system than WGS 84 (EPSGCodeCV ` +
      `${first?.value ?? ''}, first on line ${first?.line ?? 0}); convert them to degrees of longitude and latitude, and write 4326`
    );
  }
  return undefined;
}

/** Why the data sets are refused, if they are; known after building, which finds rows with one key. */
export function checkRejectedShare(staged: readonly StagedAmounts[], limit: number): string | undefined {
  const ownFiles = listSubmittedFindings(staged);
  if (ownFiles.length > 0 && ownFiles.every(({ accepted }) => accepted === 0)) return describeNoneAccepted(ownFiles);
  for (const { file, accepted, rejected } of ownFiles) {
    const share = rejected / (accepted + rejected);
    // A data set of which no row is accepted stays as it was when another is published.
    if (accepted > 0 && share > limit) {
      return `${rejected} of the ${accepted + rejected} rows of ${file} are rejected, ${formatPercent(share)} where the limit is ${formatPercent(limit)}`;
    }
  }
  return undefined;
}

function listSubmittedFindings(staged: readonly StagedAmounts[]): readonly FileFindings[] {
  return staged.flatMap(({ findings }) => (findings === undefined ? [] : [findings]));
}

function describeNoneAccepted(ownFiles: readonly FileFindings[]): string {
  const files = ownFiles.map((findings) => {
    const { file, read, rejected } = findings.toCounts();
    return `${rejected} of ${read} rows of ${file}${describeMainReason(findings)}`;
  });
  return `no amount row could be accepted (rejected: ${files.join(', ')})`;
}

/** Why most of a file's rows are rejected, as the end of a sentence. */
function describeMainReason(findings: FileFindings): string {
  const listed = findings.list();
  const missing = listed.filter(({ rule }) => rule === 'missing-column');
  // With the column of nearly its name that the file has instead.
  const lacking = missing.map(({ column, value }) =>
    appendHint(column ?? '', value === '' ? undefined : `rename ${value}`),
  );
  if (lacking.length > 0) return `, which lacks ${lacking.join(' and ')}`;
  const [mainRule] = Object.entries(findings.toCounts().reasons)
    .map(([name, count]) => ({ rule: name as RuleName, count })) // Its keys are rules.
    .filter(({ rule }) => rules[rule].severity === 'rejected')
    .sort((a, b) => b.count - a.count);
  if (mainRule === undefined) return '';
  const first = listed.find(({ rule, column, value }) => rule === mainRule.rule && column !== null && value !== '');
  const example = first === undefined ? '' : `, as ${first.column ?? ''} ${first.value} on line ${first.line}`;
  return `, mostly because: ${rules[mainRule.rule].sentence.replace(/\.$/, '')}${example}`;
}

function collectOrganizations(staged: readonly StagedAmounts[]): ReadonlySet<string> {
  return new Set(staged.flatMap(({ organizations }) => [...organizations]));
}
