// The documents in docs/ that are generated from declarations in the code: the parameters of all operations, from
// shared/query/; the parts of docs/submitting.md about files, columns, rules and data-quality warnings, from the
// loader; the schema of reports; and the OpenAPI document.
//
// docs/openapi.json is OpenAPI 3.1. It is generated from the declarations that read parameters and write answers, and
// the service sends it as GET /openapi.json.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ColumnType, FileColumn, SubmissionFile } from '../../data-loaders/format/column';
import { holdReasons } from '../../data-loaders/format/hold-reasons';
import { FILLER_TEXTS } from '../../data-loaders/format/missing-texts';
import { qualityWarnings } from '../../data-loaders/format/quality-warnings';
import { reportMember } from '../../data-loaders/format/report';
import { formatPercent } from '../../data-loaders/format/report-numbers';
import { type RuleName, rules } from '../../data-loaders/format/rules';
import { metadataMembers } from '../../data-loaders/format/submission-metadata';
import { column } from '../../shared/documents/document';
import { tableMarkdown } from '../../shared/documents/write-markdown';
import { findProjectDirectory, readProgramVersion } from '../../shared/project-files';
import { accessKey } from '../../shared/query/access-key-parameter';
import {
  downloads,
  exportOperations,
  facetsOperations,
  find,
  inventory,
  type OperationParameter,
  operations,
  placesOperations,
  removedOperations,
  totalsOperations,
} from '../../shared/query/operations';
import type { Parameter } from '../../shared/query/parameter';
import { listUseCategoryTerms, NO_USE_TERMS } from '../../shared/records/use-categories';
import { readSettings } from '../../shared/settings';
import { columnMeanings } from './column-meanings';
import { type AnsweredExamples, answerExamples } from './examples';
import { extractComponents } from './openapi-components';
import { keySchemas } from './openapi-keys';
import { nameSchemas } from './openapi-named-schemas';
import { buildPaths, TAGS } from './openapi-paths';
import { buildFormSchemas } from './openapi-posts';
import { buildComponentSchemas } from './openapi-schemas';
import { submissionSchemas } from './openapi-submissions';
import { buildTemplates, describedFiles } from './templates';
import { getVocabularyText } from './vocabulary-texts';

export interface GeneratedDocument {
  readonly path: string;
  readonly text: string;
}

export async function generateDocuments(): Promise<readonly GeneratedDocument[]> {
  const folder = join(findProjectDirectory(), 'docs');
  const submitting = join(folder, 'submitting.md');
  return [
    { path: join(folder, 'parameters.md'), text: parametersDocument() },
    { path: submitting, text: submittingDocument(readFileSync(submitting, 'utf8')) },
    { path: join(findProjectDirectory(), TEMPLATES_FILE), text: toJsonText(buildTemplates()) },
    { path: join(folder, 'report.schema.json'), text: toJsonText(REPORT_SCHEMA) },
    { path: join(folder, 'openapi.json'), text: toJsonText(openApiDocument(await answerExamples())) },
  ];
}

/** The files offered at /submit. They are generated, because that page may not import the loader. */
const TEMPLATES_FILE = 'shared/http/pages/templates.json';

const REPORT_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Report on one processing run of a submission',
  ...reportMember.schema,
};

/** The documents whose file is missing or outdated. */
export function findStaleDocuments(documents: readonly GeneratedDocument[]): readonly GeneratedDocument[] {
  return documents.filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text);
}

function toJsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const INTRODUCTION = `
<!-- Made by "npm run documents" from the declarations in shared/query/. Change those, not this page. -->

# Parameters

This page lists all parameters of the operations that return data. The parameters of /v1/Keys are on /docs, and those below /ogc are in [GIS](gis.md). [Requests](requests.md) explains how they combine, what they match and what an answer looks like. Names ignore
letter case; an unknown name is a 400. A parameter that may repeat matches any of its values, at most 100.
`;

const COLUMNS = ['Parameter', 'Type', 'Meaning', 'Example', 'Also called'];

type Row = readonly string[];

/** The parameters at the end of every operation's list are in a separate table. */
function parametersDocument(): string {
  const rows = operations.map(buildParameterRows);
  const common = findCommonEnd(rows);
  const lines = [
    INTRODUCTION.trim(),
    '',
    ...operations.flatMap(({ route, summary }, index) =>
      buildSection(`GET /${route}`, summary, (rows[index] ?? []).slice(0, -common.length)),
    ),
    ...buildSection(
      'Parameters of all three operations',
      'Each of the three operations also has these parameters.',
      common,
    ),
    ...[...totalsOperations, ...facetsOperations].flatMap(({ route, summary, parameters }) => {
      const listed = parameters.filter(({ kind }) => kind === 'groupBy' || kind === 'facet');
      const rows = listed.map(({ meaning, ...parameter }) => {
        return parameterRow({
          ...parameter,
          meaning: `${meaning} One of: ${(parameter.limits?.enum ?? []).join(', ')}.`,
        });
      });
      const pages = listed.some(({ kind }) => kind === 'facet') ? '' : ', StartIndex and RecordCount, which count rows';
      const takes = `${summary} It has the filters of its base operation, DataVersion, format (json or csv)${pages}, and:`;
      return buildSection(`GET /${route}`, takes, rows);
    }),
    ...exportOperations.flatMap(({ route, summary, parameters }) => {
      const listed = parameters.filter(({ kind }) => kind === 'exportFormat').map(parameterRow);
      const takes = `${summary} It has the filters of its base operation, OrderBy, DataVersion, and:`;
      return buildSection(`GET /${route}`, takes, listed);
    }),
    ...[...removedOperations, ...placesOperations, inventory, find, downloads].flatMap((operation) =>
      buildSection(`GET /${operation.route}`, operation.summary, buildParameterRows(operation)),
    ),
    USE_CATEGORIES.trim(),
    '',
    '| UseCategoryCV | Terms |',
    '| --- | --- |',
    ...Array.from(listUseCategoryTerms(), ([category, terms]) => `| ${category} | ${terms.join('; ')} |`),
    '',
    `No use: ${NO_USE_TERMS.join('; ')}.`,
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

const USE_CATEGORIES = `
## Plain use categories

Each state has its own terms for beneficial uses. \`UseCategoryCV\` maps them to categories that are comparable across states ([D63](spec/additions.md#d63)).
**The categories are assigned by this project, not by the states.** Letter case is ignored. A term that lists several uses gets the category of the first
one. Agriculture without further detail counts as irrigation. Terms that are not listed get the category Other. A record has the categories of its primary use and of all its other uses.
`;

function buildParameterRows({ parameters }: { readonly parameters: readonly OperationParameter[] }): readonly Row[] {
  return [...parameters, accessKey].map(parameterRow);
}

function parameterRow(parameter: Parameter<unknown>): Row {
  const { name, type, isRepeatable = false, defaultValue, meaning, example, synonyms = [] } = parameter;
  const repeats = isRepeatable ? ', may repeat' : '';
  const defaultText = defaultValue === undefined ? '' : `, default ${JSON.stringify(defaultValue)}`;
  return [name, `${type}${repeats}${defaultText}`, meaning, `\`${example}\``, synonyms.join(', ')];
}

/** The longest list of rows that all lists end with. */
function findCommonEnd([first = [], ...others]: readonly (readonly Row[])[]): readonly Row[] {
  const isCommon = (fromEnd: number): boolean =>
    others.every((other) => other.at(-fromEnd)?.join('|') === first.at(-fromEnd)?.join('|'));
  let count = 0;
  while (count < first.length && isCommon(count + 1)) count++;
  return first.slice(first.length - count);
}

function buildSection(title: string, sentence: string, rows: readonly Row[]): readonly string[] {
  return [`## ${title}`, '', sentence, ...table(COLUMNS, rows)];
}

/** The default limit, for a service whose operator sets none. */
const REJECTED_SHARE_LIMIT = readSettings({}, '/').rejectedShareLimit;

const typeTexts: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  geometry: 'text',
  identifier: 'identifier or code',
  huc8: '8 digits',
  huc12: '12 digits',
  state: 'two-letter state',
  stateName: 'state',
  number: 'number',
  amount: 'number',
  date: 'date',
  boolean: '1 or 0',
  list: 'list, separated by commas',
  identifiers: 'list, separated by commas',
};

/** Matches a generated part of the page, from `<!-- made: NAME -->` to `<!-- end -->`. */
const GENERATED_PART = /(<!-- made: (\w+) -->)[^]*?(<!-- end -->)/g;

/** Replaces the generated parts of the existing page. Everything around them is written by hand. */
function submittingDocument(page: string): string {
  const parts = generateParts();
  return page.replace(GENERATED_PART, (_, start: string, name: string, end: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`no part of the page is called ${name}`);
    return `${start}${typeof part === 'string' ? part : `\n${part.join('\n')}\n`}${end}`;
  });
}

/** A string is inserted within a line; a list is inserted as separate lines. */
function generateParts(): Readonly<Record<string, string | readonly string[]>> {
  const metadata = namedRows(metadataMembers, ({ meaning, requirement: must }) => [meaning, must]);
  const warnings = namedRows(qualityWarnings, ({ meaning, advice }) => [meaning, advice]);
  const holds = namedRows(holdReasons, ({ meaning, because, look }) => [meaning, because, look]);
  return {
    package: packageTable(),
    metadata: table(['Member', 'Meaning', 'Must be'], metadata),
    rejectedShare: formatPercent(REJECTED_SHARE_LIMIT),
    fillerTexts: FILLER_TEXTS.join(', '),
    files: fileSections(),
    vocabularies: vocabularyTable(),
    rejections: ruleSections('rejected'),
    warnings: [...ruleSections('warned'), ...ruleSections('noted')],
    holds: table(['Name', 'Held when', 'Why this limit', 'What to check'], holds),
    qualityWarnings: table(['Name', 'When', 'What to do'], warnings),
  };
}

/** The lines of a table between empty lines. */
function table(names: readonly string[], rows: readonly Row[]): readonly string[] {
  return ['', ...tableMarkdown(names.map(column), rows), ''];
}

/** One row per declaration, with its name first. */
function namedRows<Value>(
  declared: Readonly<Record<string, Value>>,
  toCells: (value: Value) => readonly string[],
): readonly Row[] {
  return Object.entries(declared).map(([name, value]) => [`\`${name}\``, ...toCells(value)]);
}

/** The anchor that GitHub generates for a file's heading is its name without the dot. */
function packageTable(): readonly string[] {
  return table(
    ['File', 'Each row describes', 'Needed by'],
    describedFiles.map(({ file: { name }, rowIs, neededBy }) => [
      `[${name}](#${name.replace('.', '')})`,
      rowIs,
      neededBy,
    ]),
  );
}

function fileSections(): readonly string[] {
  return describedFiles.flatMap(({ file, rowIs }) => [
    `### ${file.name}`,
    '',
    `Each row describes ${rowIs}.`,
    ...table(['Column', 'Meaning', 'Holds', 'Required', 'Older names'], columnRows(file)),
  ]);
}

function columnRows({ name, columns }: SubmissionFile): readonly Row[] {
  const meanings = columnMeanings.get(name) ?? {};
  return Object.entries(columns).map(([column, declared]) => [
    `\`${column}\``,
    meanings[column] ?? '',
    ...columnCells(declared),
  ]);
}

function columnCells(column: FileColumn): readonly string[] {
  const holds = `${typeTexts[column.type]}${column.isVocabulary ? ', [with agreed terms](#agreed-terms)' : ''}`;
  const olderNames = column.synonyms.map((synonym) => `\`${synonym}\``).join(', ');
  return [holds, column.isRequired ? 'yes' : '', olderNames];
}

function vocabularyTable(): readonly string[] {
  const columns = describedFiles.flatMap(({ file }) =>
    Object.entries(file.columns).filter(([, { isVocabulary }]) => isVocabulary),
  );
  const names = [...new Set(columns.map(([name]) => name))];
  const rows = names.map((name) => [`\`${name}\``, getVocabularyText(name)]);
  return table(['Column', 'Terms'], rows);
}

function ruleSections(severity: (typeof rules)[RuleName]['severity']): readonly string[] {
  return Object.entries(rules).flatMap(([name, rule]) =>
    rule.severity === severity
      ? [`### ${name}`, '', rule.sentence, '', `- How to fix it: ${rule.fix}`, `- Example: ${rule.example}`, '']
      : [],
  );
}

const DESCRIPTION = `
Water data that many states contribute, in one consistent structure: time series at sites, aggregate amounts per reporting unit,
and water rights (allocations).

**Key.** Every request for data needs an access key from the operator of the service, in the header \`X-API-Key\` or as the parameter \`key\`. The
header takes precedence; prefer it, because URLs end up in logs.

**Filters.** All parameters are optional, and combine with AND. A repeated parameter matches any of its values: \`State=UT&State=CO\`. Commas do
not separate values. Names and text values ignore letter case, and text must match as a whole. A blank value counts as no value. An unknown
name is an error.

**Pages.** \`RecordCount\` is the number of records in an answer, \`StartIndex\` the index of the first record. To read all pages, follow \`rel="next"\` in
the header \`Link\`, which stays on the same version of the data, or add the number of records to \`StartIndex\` until \`Organizations\` is empty. A link
may be relative to the URL of the request, and never contains the key. Later pages are as fast as the first, and every page has the same total. If
you count \`StartIndex\` yourself, send the header \`Data-Version\` of the first answer as \`DataVersion\` to stay on that version.

**Caching.** If you keep an answer, send its \`ETag\` as \`If-None-Match\`: you get a 304 without a body unless something that changes the answer
was published.

**Answers** are grouped by organization. Each organization lists the items that its records refer to (variables, methods, sites and so on), limited
to what the page needs. Every declared member is present: \`null\` if unknown, \`[]\` for an empty list.

**Formats.** The same records are available as a table (\`format=csv\`) or for a map (\`format=geojson\`). The header \`Accept\` works as well.

**Everything at once.** \`Export\` below an operation returns all matching records as one file, Parquet or compressed CSV. \`/v1/Downloads\` lists the
files of whole data sets.

**Limits.** A key has limits on requests and records per minute; the headers \`RateLimit\` and \`RateLimit-Policy\` show them. The
\`Retry-After\` header of a 429 says when to try again. Records are counted when they are sent.

**Errors** are \`application/problem+json\` (RFC 9457). In addition to the errors listed for each operation, the service returns 404 for an unknown path, 405 for a method other than
GET, HEAD and OPTIONS. HEAD returns the same headers as GET. Requests from any origin are allowed (CORS).
`;

function openApiDocument(answered: AnsweredExamples): object {
  const forms = buildFormSchemas(answered);
  const named = nameSchemas({
    paths: buildPaths(answered),
    schemas: { ...buildComponentSchemas(), ...keySchemas, ...submissionSchemas, ...forms },
  });
  const described = extractComponents(named.paths);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Water Data Query Service',
      version: readProgramVersion(),
      summary: 'Read-only HTTP operations over regional water data.',
      description: DESCRIPTION.trim(),
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    security: [{ KeyInHeader: [] }, { KeyInQuery: [] }, { KeyAsToken: [] }, { KeyAsUser: [] }],
    tags: TAGS,
    paths: described.paths,
    components: {
      securitySchemes: {
        KeyInHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Preferred; takes precedence.' },
        KeyInQuery: { type: 'apiKey', in: 'query', name: accessKey.name, description: accessKey.meaning },
        KeyAsToken: { type: 'http', scheme: 'bearer', description: 'The key in `Authorization: Bearer`.' },
        KeyAsUser: { type: 'http', scheme: 'basic', description: 'The key is the user name; no password.' },
      },
      ...described.components,
      schemas: named.schemas,
    },
  };
}
