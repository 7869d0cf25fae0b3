// Checks whether too many rows are rejected, in which case a submission is refused (submissions.md, 5). The reasons are
// sentences without a period.

import { appendHint, type FileFindings, type SubmissionFindings } from '../format/findings';
import { formatNumber, formatPercent } from '../format/report-numbers';
import { type RuleName, rules } from '../format/rules';
import { type StagedAmounts } from './amount-rows';

/**
 * The reason to refuse a submission if its places use an unsupported coordinate system. Without these places, its
 * amounts would be rejected, or its rights would lose their sites, for misleading reasons.
 */
export function checkProjectedShare({ files }: SubmissionFindings, limit: number): string | undefined {
  for (const findings of files) {
    const { file, read, reasons } = findings.toCounts();
    const count = reasons['projected-system'] ?? 0;
    if (count <= read * limit) continue;
    const first = findings.list().find(({ rule }) => rule === 'projected-system');
    return (
      `${formatNumber(count)} of the ${formatNumber(read)} rows of ${file} have coordinates in a system other than WGS 84 (EPSGCodeCV ` +
      `${first?.value ?? ''}, first on line ${first?.line ?? 0}); convert them to degrees of longitude and latitude, and write 4326`
    );
  }
  return undefined;
}

/** The reason to refuse the data sets, if any. It is known only after building, which finds rows with the same key. */
export function checkRejectedShare(staged: readonly StagedAmounts[], limit: number): string | undefined {
  const ownFiles = listSubmittedFindings(staged);
  if (ownFiles.length > 0 && ownFiles.every(({ accepted }) => accepted === 0)) return describeNoneAccepted(ownFiles);
  for (const { file, accepted, rejected } of ownFiles) {
    const share = rejected / (accepted + rejected);
    // A data set without accepted rows stays unchanged if another data set is published.
    if (accepted > 0 && share > limit) {
      return `${rejected} of the ${accepted + rejected} rows of ${file} are rejected, ${formatPercent(share)} where the limit is ${formatPercent(limit)}`;
    }
  }
  return undefined;
}

export function listSubmittedFindings(staged: readonly StagedAmounts[]): readonly FileFindings[] {
  return staged.flatMap(({ findings }) => (findings === undefined ? [] : [findings]));
}

export function describeNoneAccepted(ownFiles: readonly FileFindings[]): string {
  const files = ownFiles.map((findings) => {
    const { file, read, rejected } = findings.toCounts();
    return `${rejected} of ${read} rows of ${file}${describeMainReason(findings)}`;
  });
  return `no amount row could be accepted (rejected: ${files.join(', ')})`;
}

/** The main reason why rows of a file are rejected, as the end of a sentence. */
function describeMainReason(findings: FileFindings): string {
  const listed = findings.list();
  const missing = listed.filter(({ rule }) => rule === 'missing-column');
  // Adds the unknown column with a similar name, if there is one.
  const lacking = missing.map(({ column, value }) =>
    appendHint(column ?? '', value === '' ? undefined : `rename ${value}`),
  );
  if (lacking.length > 0) return `, which lacks ${lacking.join(' and ')}`;
  const [mainRule] = Object.entries(findings.toCounts().reasons)
    .map(([name, count]) => ({ rule: name as RuleName, count })) // The keys are rules.
    .filter(({ rule }) => rules[rule].severity === 'rejected')
    .sort((a, b) => b.count - a.count);
  if (mainRule === undefined) return '';
  const first = listed.find(({ rule, column, value }) => rule === mainRule.rule && column !== null && value !== '');
  const example = first === undefined ? '' : `, as ${first.column ?? ''} ${first.value} on line ${first.line}`;
  return `, mostly because: ${rules[mainRule.rule].sentence.replace(/\.$/, '')}${example}`;
}
