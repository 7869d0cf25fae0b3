// The report of one run over a submission (submissions.md, 5): which rows were accepted, which not and why, and what
// changed. Its types and its schema (docs/report.schema.json) follow from the declarations here.

import { DATA_SET_KINDS } from '../../shared/records/data-sets';
import {
  described,
  listOf,
  type Member,
  objectOf,
  requiredNumber,
  requiredText,
  text,
  type ValueOf,
} from '../../shared/records/object-definition';
import { type HoldReason, holdReasons, type QualityWarningName, qualityWarnings, type RuleName, rules } from './rules';

const integer: Member<number> = { schema: { type: 'integer', minimum: 0 } };

/** Any value that JSON can hold without a structure of its own. */
const scalar: Member<string | number | boolean | null> = {
  schema: { type: ['string', 'number', 'boolean', 'null'] },
};

function oneOf<const Values extends readonly string[]>(values: Values): Member<Values[number]> {
  return { schema: { type: 'string', enum: values } };
}

function nullable<Value>(member: Member<Value>): Member<Value | null> {
  return { schema: { anyOf: [member.schema, { type: 'null' }] } };
}

/** An object whose names are data. */
function mapOf<Value>(value: Member<Value>): Member<Readonly<Record<string, Value>>> {
  return { schema: { type: 'object', additionalProperties: value.schema } };
}

/** How many added, removed and changed records are shown, and how many examples of each data-quality warning. */
export const MAX_EXAMPLES_SHOWN = 20;

const identity = described(
  mapOf(requiredText),
  'The members that identify the record or place, by name, without those that are missing',
);

const difference = objectOf({
  member: requiredText,
  before: described(scalar, 'Lists and objects as JSON text; long texts are cut'),
  after: scalar,
});

const examples = objectOf({
  added: listOf(identity),
  removed: listOf(identity),
  changed: listOf(objectOf({ identity, members: listOf(difference) })),
});

const sums = objectOf({
  records: integer,
  sums: described(
    mapOf(requiredNumber),
    'By member: Amount, or AllocationFlow_CFS and AllocationVolume_AF of allocations',
  ),
});

const beforeAndAfter = {
  before: described(nullable(sums), 'Null when the former release has no such record, or there is no former release'),
  after: described(nullable(sums), 'Null when the release has no such record'),
};

const totalsChange = objectOf({
  variables: listOf(
    objectOf({ variableSpecificUuid: requiredText, variableSpecific: requiredText, unit: text, ...beforeAndAfter }),
  ),
  uses: listOf(
    objectOf({
      use: described(text, 'Null for records without any use; a record with several uses counts under each'),
      unit: text,
      ...beforeAndAfter,
    }),
  ),
  omitted: described(integer, 'Variables and uses beyond the 200 with the most records'),
});

const PLACE_MEMBER = 'The member of the record; null for a place, whose values are longitude and latitude';

const QUALITY_WARNING_NAMES = Object.keys(qualityWarnings) as QualityWarningName[]; // The names are those of `qualityWarnings`.

const warningMembers = {
  sentence: requiredText,
  count: described(integer, 'Records or places concerned'),
  examples: listOf(objectOf({ identity, member: described(text, PLACE_MEMBER), before: scalar, after: scalar })),
};

const qualityWarning = objectOf({
  name: described(oneOf(QUALITY_WARNING_NAMES), 'The name of the warning'),
  ...warningMembers,
});

const HOLD_REASONS = Object.keys(holdReasons) as HoldReason[]; // The names are those of `holdReasons`.

const hold = objectOf({
  reason: oneOf(HOLD_REASONS),
  of: described(integer, 'Records or places among which they were counted'),
  ...warningMembers,
});

const uncategorizedUse = objectOf({
  use: requiredText,
  records: integer,
  primaryUse: described(text, 'Its category in our table or beneficialuses.csv; null when neither knows the term'),
});

const RULE_NAMES = Object.keys(rules) as RuleName[]; // The names of `rules` are what RuleName is.

const countOfRules: Member<Readonly<Partial<Record<RuleName, number>>>> = {
  schema: {
    type: 'object',
    properties: Object.fromEntries(RULE_NAMES.map((name) => [name, integer.schema])),
    additionalProperties: false,
  },
};

const finding = objectOf({
  file: requiredText,
  line: described(integer, 'Line on which the row starts; 1 for what concerns the file as a whole'),
  column: described(text, 'Null when the finding concerns the whole row'),
  rule: oneOf(RULE_NAMES),
  value: described(
    requiredText,
    'What stands in the file, at most 200 characters of it, or what is wrong with all of it',
  ),
});

const fileCounts = objectOf({
  file: requiredText,
  read: described(integer, 'Rows: read = accepted + rejected'),
  accepted: integer,
  warned: described(integer, 'Accepted rows with at least one warning'),
  rejected: integer,
  reasons: described(countOfRules, 'How often each rule applied'),
});

const dataSetOutcome = objectOf({
  organizationUuid: requiredText,
  dataSet: oneOf(DATA_SET_KINDS),
  records: integer,
  outcome: oneOf(['published', 'unchanged', 'would-publish', 'refused', 'kept', 'held', 'would-be-held']),
  releaseId: text,
  formerReleaseId: text,
  change: described(
    nullable(objectOf({ added: integer, removed: integer, changed: integer })),
    'How the records differ from the former release, by key',
  ),
  examples: described(nullable(examples), `The first ${MAX_EXAMPLES_SHOWN} of each, in the order of the answers`),
  totals: nullable(totalsChange),
  qualityWarnings: listOf(qualityWarning),
  holds: described(listOf(hold), 'Why it is published only when somebody confirms it'),
  uncategorizedUses: described(listOf(uncategorizedUse), 'Uses in none of the eight USGS categories'),
});

export const reportMember = objectOf({
  verdict: oneOf(['published', 'unchanged', 'refused', 'would-publish', 'held', 'would-be-held']),
  sentence: described(requiredText, 'The verdict in one sentence'),
  dataVersion: text,
  confirmationCode: described(text, 'Publishes exactly this although it has holds; null without any'),
  dataSets: listOf(dataSetOutcome),
  files: listOf(fileCounts),
  findings: described(listOf(finding), 'The first 1,000 of each rule and file'),
  notes: described(listOf(requiredText), 'What was seen beside the rows: files not read, columns not known'),
  milliseconds: requiredNumber,
});

export type Identity = ValueOf<typeof identity>;
export type Difference = ValueOf<typeof difference>;
export type ChangeExamples = ValueOf<typeof examples>;
export type Sums = ValueOf<typeof sums>;
export type TotalsChange = ValueOf<typeof totalsChange>;
export type QualityWarning = ValueOf<typeof qualityWarning>;
export type Hold = ValueOf<typeof hold>;
export type UncategorizedUse = ValueOf<typeof uncategorizedUse>;
export type Finding = ValueOf<typeof finding>;
export type FileCounts = ValueOf<typeof fileCounts>;
export type DataSetOutcome = ValueOf<typeof dataSetOutcome>;
export type Report = ValueOf<typeof reportMember>;

/** The members of a report that follow from the outcome of the load. */
export type LoadOutcome = Pick<Report, 'verdict' | 'sentence' | 'dataVersion' | 'confirmationCode' | 'dataSets'>;

/** Counts what is found of a sort, and keeps the first few as examples. */
export class CountedExamples<Example> {
  count = 0;
  readonly examples: Example[] = [];

  add(makeExample: () => Example): void {
    this.count++;
    if (this.examples.length < MAX_EXAMPLES_SHOWN) this.examples.push(makeExample());
  }
}

const NUMBER_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 10 });

/** A count as the sentences of a report have it: `1,250`. */
export function formatNumber(count: number): string {
  return NUMBER_FORMAT.format(count);
}

/** A count with its noun: `1,250 rows`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** As a share of one: 0.125 is "12.5 percent". */
export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1).replace(/\.0$/, '')} percent`;
}
