// The report as a text for people who read it on a terminal.

import type { DataSetOutcome, Finding, Report } from '../format/report';
import { rules, type RuleName } from '../format/rules';

/** Findings listed for a rule and a file: a terminal is no place for a thousand lines of one kind. */
const FINDINGS_SHOWN = 10;

export function reportText(report: Report): string {
  const lines = [report.sentence, ''];
  for (const file of report.files) {
    const { read, accepted, warned, rejected } = file;
    lines.push(`${file.file}: ${read} read, ${accepted} accepted (${warned} with warnings), ${rejected} rejected`);
    for (const [rule, count] of Object.entries(file.reasons)) {
      const findings = report.findings.filter((finding) => finding.file === file.file);
      lines.push(...ruleLines(rule as RuleName, count, findings)); // The keys of reasons are rules.
    }
  }
  for (const dataSet of report.dataSets) lines.push(...dataSetLines(dataSet));
  for (const note of report.notes) lines.push(`Note: ${note}`);
  if (report.dataVersion !== null) lines.push(`Data version ${report.dataVersion}`);
  lines.push(`${(report.milliseconds / 1000).toFixed(1)} s`);
  return lines.join('\n');
}

function dataSetLines(dataSet: DataSetOutcome): readonly string[] {
  const { organizationUuid, outcome, records, change, releaseId, smells, uncategorizedUses } = dataSet;
  const release = releaseId === null ? '' : `, release ${releaseId}`;
  const changes =
    change === null ? '' : `: ${change.added} added, ${change.removed} removed, ${change.changed} changed`;
  const unknown = uncategorizedUses.filter(({ primaryUse }) => primaryUse === null).map(({ use }) => use);
  return [
    `${organizationUuid} ${dataSet.dataSet} ${outcome}, ${records} records${changes}${release}`,
    ...smells.map(({ smell, sentence }) => `  look at this: ${sentence} (${smell})`),
    ...(unknown.length === 0 ? [] : [`  uses that no table has a category for: ${oneLine(unknown.join(', '))}`]),
  ];
}

function ruleLines(rule: RuleName, count: number, findings: readonly Finding[]): string[] {
  const { severity, sentence } = rules[rule];
  const listed = findings.filter((finding) => finding.rule === rule).slice(0, FINDINGS_SHOWN);
  const lines = listed.map(({ line, column, value }) => {
    const where = column === null ? `line ${line}` : `line ${line}, ${column}`;
    return `      ${where}: ${oneLine(value)}`;
  });
  const more =
    count > listed.length
      ? [`      and ${count - listed.length} more (up to 1,000 with --json, all with --rejected FOLDER)`]
      : [];
  // A finding about a file as a whole is no row that was warned for.
  const label = rule === 'absent-column' ? 'noted' : severity;
  return [`  ${label} ${count} × ${rule}: ${sentence}`, ...lines, ...more];
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, ' ');
  return flat.length > 100 ? `${flat.slice(0, 100)}…` : flat;
}
