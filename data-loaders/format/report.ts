// The report of a load or dry run of one submission (submissions.md, 5): accepted rows, rejected rows with reasons, and
// changes. The types and the schema docs/report.schema.json are derived from these declarations.

import { DATA_SET_KINDS } from '../../shared/records/data-sets';
import {
  listMember,
  type Member,
  type MemberValue,
  objectMember,
  requiredNumber,
  requiredText,
  text,
  withDescription,
} from '../../shared/records/object-definition';
import { type HoldReason, holdReasons } from './hold-reasons';
import { type QualityWarningName, qualityWarnings } from './quality-warnings';
import { type RuleName, rules } from './rules';

const integer: Member<number> = { schema: { type: 'integer', minimum: 0 } };

/** Any scalar JSON value. */
const scalar: Member<string | number | boolean | null> = {
  schema: { type: ['string', 'number', 'boolean', 'null'] },
};

function oneOf<const Values extends readonly string[]>(values: Values): Member<Values[number]> {
  return { schema: { type: 'string', enum: values } };
}

function nullable<Value>(member: Member<Value>): Member<Value | null> {
  return { schema: { anyOf: [member.schema, { type: 'null' }] } };
}

/** An object whose keys come from the data. */
function mapOf<Value>(value: Member<Value>): Member<Readonly<Record<string, Value>>> {
  return { schema: { type: 'object', additionalProperties: value.schema } };
}

/** The maximum number of added, removed and changed records to list, and of examples for each quality warning. */
export const MAX_EXAMPLES_SHOWN = 20;

const identity = withDescription(
  mapOf(requiredText),
  'The members that identify the record or place, by name, without those that are missing',
);

const difference = objectMember({
  member: requiredText,
  before: withDescription(scalar, 'Lists and objects as JSON text; long values are truncated'),
  after: scalar,
});

const examples = objectMember({
  added: listMember(identity),
  removed: listMember(identity),
  changed: listMember(objectMember({ identity, members: listMember(difference) })),
});

const sums = objectMember({
  records: integer,
  sums: withDescription(
    mapOf(requiredNumber),
    'By member: Amount, or AllocationFlow_CFS and AllocationVolume_AF of allocations',
  ),
});

const beforeAndAfter = {
  before: withDescription(
    nullable(sums),
    'Null if the previous release has no such record, or there is no previous release',
  ),
  after: withDescription(nullable(sums), 'Null if the release has no such record'),
};

const totalsChange = objectMember({
  variables: listMember(
    objectMember({ variableSpecificUuid: requiredText, variableSpecific: requiredText, unit: text, ...beforeAndAfter }),
  ),
  uses: listMember(
    objectMember({
      use: withDescription(text, 'Null for records without any use; a record with several uses counts under each'),
      unit: text,
      ...beforeAndAfter,
    }),
  ),
  omitted: withDescription(integer, 'Variables and uses beyond the 200 with the most records'),
});

const PLACE_MEMBER = 'The member of the record; null for a place, whose values are longitude and latitude';

// The names are the keys of `qualityWarnings`.
const QUALITY_WARNING_NAMES = Object.keys(qualityWarnings) as QualityWarningName[];

const warningMembers = {
  sentence: requiredText,
  count: withDescription(integer, 'The records or places that the warning applies to'),
  examples: listMember(
    objectMember({ identity, member: withDescription(text, PLACE_MEMBER), before: scalar, after: scalar }),
  ),
};

const qualityWarning = objectMember({
  name: withDescription(oneOf(QUALITY_WARNING_NAMES), 'The name of the warning'),
  ...warningMembers,
});

const HOLD_REASONS = Object.keys(holdReasons) as HoldReason[]; // The names are the keys of `holdReasons`.

const hold = objectMember({
  reason: oneOf(HOLD_REASONS),
  of: withDescription(integer, 'The number of records or places that were checked'),
  ...warningMembers,
});

const uncategorizedUse = objectMember({
  use: requiredText,
  records: integer,
  primaryUse: withDescription(text, 'Its category in our table or beneficialuses.csv; null if neither has the term'),
});

const RULE_NAMES = Object.keys(rules) as RuleName[]; // The names of `rules` are of the type RuleName.

const countOfRules: Member<Readonly<Partial<Record<RuleName, number>>>> = {
  schema: {
    type: 'object',
    properties: Object.fromEntries(RULE_NAMES.map((name) => [name, integer.schema])),
    additionalProperties: false,
  },
};

const finding = objectMember({
  file: requiredText,
  line: withDescription(integer, 'Line on which the row starts; 1 for findings about the whole file'),
  column: withDescription(text, 'Null if the finding applies to the whole row'),
  rule: oneOf(RULE_NAMES),
  value: withDescription(
    requiredText,
    'The text in the file, at most 200 characters, or what is wrong with the whole file',
  ),
});

const fileCounts = objectMember({
  file: requiredText,
  read: withDescription(integer, 'Rows: read = accepted + rejected'),
  accepted: integer,
  warned: withDescription(integer, 'Accepted rows with at least one warning'),
  rejected: integer,
  reasons: withDescription(countOfRules, 'How many times each rule applied'),
});

const dataSetOutcome = objectMember({
  organizationUuid: requiredText,
  dataSet: oneOf(DATA_SET_KINDS),
  records: integer,
  outcome: oneOf(['published', 'unchanged', 'would-publish', 'refused', 'kept', 'held', 'would-be-held']),
  releaseId: text,
  formerReleaseId: text,
  change: withDescription(
    nullable(objectMember({ added: integer, removed: integer, changed: integer })),
    'How the records differ from the previous release, by key',
  ),
  examples: withDescription(
    nullable(examples),
    `The first ${MAX_EXAMPLES_SHOWN} of each, in the same order as in answers`,
  ),
  totals: nullable(totalsChange),
  qualityWarnings: listMember(qualityWarning),
  holds: withDescription(listMember(hold), 'Why it is published only after confirmation'),
  uncategorizedUses: withDescription(
    listMember(uncategorizedUse),
    'Uses that are in none of the eight USGS categories',
  ),
});

export const reportMember = objectMember({
  verdict: oneOf(['published', 'unchanged', 'refused', 'would-publish', 'held', 'would-be-held']),
  sentence: withDescription(requiredText, 'The verdict in one sentence'),
  dataVersion: text,
  confirmationCode: withDescription(
    text,
    'The code that publishes exactly this held submission; null if it is not held',
  ),
  dataSets: listMember(dataSetOutcome),
  files: listMember(fileCounts),
  findings: withDescription(listMember(finding), 'The first 1,000 of each rule and file'),
  notes: withDescription(listMember(requiredText), 'Other remarks: files that are not read, unknown columns'),
  milliseconds: requiredNumber,
});

export type Identity = MemberValue<typeof identity>;
export type Difference = MemberValue<typeof difference>;
export type ChangeExamples = MemberValue<typeof examples>;
export type Sums = MemberValue<typeof sums>;
export type TotalsChange = MemberValue<typeof totalsChange>;
export type QualityWarning = MemberValue<typeof qualityWarning>;
export type Hold = MemberValue<typeof hold>;
export type UncategorizedUse = MemberValue<typeof uncategorizedUse>;
export type Finding = MemberValue<typeof finding>;
export type FileCounts = MemberValue<typeof fileCounts>;
export type DataSetOutcome = MemberValue<typeof dataSetOutcome>;
export type Report = MemberValue<typeof reportMember>;

/** The members of a report that depend on the outcome of the load. */
export type LoadOutcome = Pick<Report, 'verdict' | 'sentence' | 'dataVersion' | 'confirmationCode' | 'dataSets'>;
