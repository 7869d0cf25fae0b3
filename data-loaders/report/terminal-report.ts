// Formats the report as text for a terminal.

import { textMarkdown } from '../../shared/documents/write-markdown';
import { escapeControls } from '../../shared/values/escape-controls';
import { holdReasons } from '../format/hold-reasons';
import type { DataSetOutcome, Hold, Report } from '../format/report';
import { rules } from '../format/rules';
import { type AppliedRule, appliedRules, MAX_FINDINGS_SHOWN } from './applied-rules';
import { confirmation, exampleText, seconds } from './phrases';

export function reportText(report: Report): string {
  const lines = [
    report.sentence,
    '',
    ...report.files.flatMap((file) => [
      `${file.file}: ${file.read} read, ${file.accepted} accepted (${file.warned} with warnings), ${file.rejected} rejected`,
      ...appliedRules(file, report).flatMap(ruleLines),
    ]),
    ...report.dataSets.flatMap(dataSetLines),
    ...report.notes.map((note) => `Note: ${note}`),
    ...(report.dataVersion === null ? [] : [`Data version ${report.dataVersion}`]),
    seconds(report),
    ...confirmation(report),
  ];
  // Values and file names come from the submission.
  return lines.map(escapeControls).join('\n');
}

function dataSetLines(dataSet: DataSetOutcome): readonly string[] {
  const { organizationUuid, outcome, records, change, releaseId, qualityWarnings, uncategorizedUses } = dataSet;
  const release = releaseId === null ? '' : `, release ${releaseId}`;
  const changes =
    change === null ? '' : `: ${change.added} added, ${change.removed} removed, ${change.changed} changed`;
  const unknown = uncategorizedUses.filter(({ primaryUse }) => primaryUse === null).map(({ use }) => use);
  return [
    `${organizationUuid} ${dataSet.dataSet} ${outcome}, ${records} records${changes}${release}`,
    ...dataSet.holds.flatMap(holdLines),
    ...qualityWarnings.map(({ name, sentence }) => `  look at this: ${sentence} (${name})`),
    ...(unknown.length === 0 ? [] : [`  uses without a category: ${oneLine(unknown.join(', '))}`]),
  ];
}

function ruleLines({ rule, count, findings }: AppliedRule): readonly string[] {
  const { severity, sentence } = rules[rule];
  const listed = findings.slice(0, MAX_FINDINGS_SHOWN.terminal);
  const lines = listed.map(({ line, column, value }) => {
    const where = column === null ? `line ${line}` : `line ${line}, ${column}`;
    return `      ${where}: ${oneLine(value)}`;
  });
  const more =
    count > listed.length
      ? [`      and ${count - listed.length} more (up to 1,000 with --json, all with --rejected FOLDER)`]
      : [];
  return [`  ${severity} ${count} × ${rule}: ${sentence}`, ...lines, ...more];
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, ' ');
  return flat.length > 100 ? `${flat.slice(0, 100)}…` : flat;
}

function holdLines({ reason, sentence, examples }: Hold): readonly string[] {
  const listed = examples.slice(0, MAX_FINDINGS_SHOWN.terminal).map((example) => {
    const identity = Object.values(example.identity).join(', ');
    const text = textMarkdown(exampleText(example));
    return `      ${oneLine(text === '' ? identity : `${identity}: ${text}`)}`;
  });
  return [`  held (${reason}): ${sentence} ${holdReasons[reason].look}`, ...listed];
}
