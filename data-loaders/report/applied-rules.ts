// Groups the findings of a report by file and rule.

import type { FileCounts, Finding, Report } from '../format/report';
import { type RuleName } from '../format/rules';

/** The maximum number of findings listed for a rule and a file. report.json has the first 1,000. */
export const MAX_FINDINGS_SHOWN = { terminal: 10, rejected: 100, warned: 20, noted: 20 } as const;

/** A rule that applied to a file: how often, and its first findings. */
export interface AppliedRule {
  readonly file: FileCounts;
  readonly rule: RuleName;
  readonly count: number;
  readonly findings: readonly Finding[];
}

export function appliedRules(file: FileCounts, report: Report): readonly AppliedRule[] {
  const counts = Object.entries(file.reasons) as [RuleName, number][]; // The keys are rules.
  const findings = report.findings.filter((finding) => finding.file === file.file);
  return counts.map(([rule, count]) => {
    return { file, rule, count, findings: findings.filter((finding) => finding.rule === rule) };
  });
}
