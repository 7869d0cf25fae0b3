// The report of one run over a submission (submissions.md, 5): which rows were accepted, which not and why, and what
// changed. Its types and its schema (docs/report.schema.json) follow from the declarations here.

import { DATA_SET_KINDS } from '../../shared/records/data-sets';
import {
  described,
  listOf,
  objectOf,
  requiredNumber,
  requiredText,
  text,
  type Member,
  type ValueOf,
} from '../../shared/records/object-definition';
import { comparisonMembers, integer, nullable, oneOf, partialMapOf } from './comparison-members';
import { rules, type RuleName } from './rules';

const RULE_NAMES = Object.keys(rules) as RuleName[]; // The names of `rules` are what RuleName is.

const rule: Member<RuleName> = oneOf(RULE_NAMES);

const verdict = oneOf(['published', 'unchanged', 'refused', 'would-publish']);

const finding = objectOf({
  file: requiredText,
  line: described(integer, 'Line on which the row starts; 1 for what concerns the file as a whole'),
  column: described(text, 'Null when the finding concerns the whole row'),
  rule,
  value: described(requiredText, 'What stands in the file, at most 200 characters of it'),
});

const fileCounts = objectOf({
  file: requiredText,
  read: described(integer, 'Rows: read = accepted + rejected'),
  accepted: integer,
  warned: described(integer, 'Accepted rows with at least one warning'),
  rejected: integer,
  reasons: described(partialMapOf(RULE_NAMES, integer), 'How often each rule applied'),
});

const dataSetChange = objectOf({ added: integer, removed: integer, changed: integer });

const dataSetOutcome = objectOf({
  organizationUuid: requiredText,
  dataSet: oneOf(DATA_SET_KINDS),
  records: integer,
  outcome: oneOf(['published', 'unchanged', 'would-publish', 'refused', 'kept']),
  releaseId: text,
  formerReleaseId: text,
  change: described(nullable(dataSetChange), 'How the records differ from the former release, by key'),
  ...comparisonMembers,
});

export const reportMember = objectOf({
  verdict,
  sentence: described(requiredText, 'The verdict in one sentence'),
  dataVersion: text,
  dataSets: listOf(dataSetOutcome),
  files: listOf(fileCounts),
  findings: described(listOf(finding), 'The first 1,000 of each rule and file'),
  notes: described(listOf(requiredText), 'What was seen beside the rows: files not read, columns not known'),
  milliseconds: requiredNumber,
});

export type Verdict = ValueOf<typeof verdict>;
export type Finding = ValueOf<typeof finding>;
export type FileCounts = ValueOf<typeof fileCounts>;
export type DataSetChange = ValueOf<typeof dataSetChange>;
export type DataSetOutcome = ValueOf<typeof dataSetOutcome>;
export type Report = ValueOf<typeof reportMember>;

/** A count as the sentences of a report have it: `1,250`. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: 10 });
}

/** A count with its noun: `1,250 rows`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** As a share of one: 0.125 is "12.5 percent". */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1).replace(/\.0$/, '')} percent`;
}
