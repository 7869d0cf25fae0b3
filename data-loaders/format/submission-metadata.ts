// Reads submission.json: the mode of the submission, who sent it, and the terms of use of its data (ADR 0105).

import type { ErrorObject, ValidateFunction } from 'ajv';
import { failure, type Result, success } from '../../shared/values/result';
import { readStart, type SubmittedFiles } from './submitted-files';
import { decodeWindows1252 } from './text-encoding';

export const METADATA_FILE = 'submission.json';

/**
 * Limited because these texts are in every catalog state, which each request reads. Longer terms must be published at
 * a web address.
 */
const MAX_CHARACTERS = 2000;

const MAX_FILE_BYTES = 64 * 1024;

interface MetadataMember {
  readonly schema: Readonly<Record<string, unknown>>;
  /** The requirement for a value, as the end of a sentence. */
  readonly requirement: string;
  /** The meaning of the member, for docs/submitting.md. */
  readonly meaning: string;
}

export const metadataMembers = {
  mode: {
    schema: { enum: ['replace', 'merge'] },
    requirement: '"replace" or "merge"',
    meaning: '`replace` (the default) or `merge`, see below',
  },
  contact: defineTextMember('Contact for questions about this submission, such as an email address'),
  note: defineTextMember('Your own note, such as the reason for the submission'),
  termsOfUse: defineTextMember('The terms of use: the text, or its web address'),
  license: {
    schema: { type: ['string', 'null'], maxLength: MAX_CHARACTERS, format: 'web-address' },
    requirement: `a web address that starts with https:// or http://, of at most ${MAX_CHARACTERS} characters`,
    meaning: 'The web address of the license of the data',
  },
  citation: defineTextMember('How to cite the data'),
  confirm: defineTextMember('The confirmation code from the report of a held submission, which publishes it'),
} as const satisfies Readonly<Record<string, MetadataMember>>;

/** If a member is missing, the published value is kept. If it is null or blank, the published value is removed. */
export type SubmissionMetadata = { readonly mode: 'replace' | 'merge' } & Readonly<
  Partial<Record<Exclude<keyof typeof metadataMembers, 'mode'>, string | null>>
>;

const DEFAULT_METADATA: SubmissionMetadata = { mode: 'replace' };

const METADATA_SCHEMA = {
  type: 'object',
  properties: Object.fromEntries(Object.entries(metadataMembers).map(([name, { schema }]) => [name, schema])),
} as const;

/** A test validates the schema. Validating it at each start would take longer than everything else in this file. */
const UNCHECKED = { meta: false, validateSchema: false };

/** Loads Ajv only for a submission with metadata, because the service does not need Ajv to answer requests. */
async function metadataValidator(): Promise<ValidateFunction<Partial<SubmissionMetadata>>> {
  const { Ajv } = await import('ajv');
  return new Ajv({ allErrors: true, allowUnionTypes: true, ...UNCHECKED })
    .addFormat('web-address', (value: string) => {
      const address = value.trim();
      return address === '' || (/^https?:\/\/\S+$/i.test(address) && URL.canParse(address));
    })
    .compile<Partial<SubmissionMetadata>>(METADATA_SCHEMA);
}

/** Parses the metadata. `unknown` lists the undeclared members. */
export async function readMetadata(
  files: SubmittedFiles,
): Promise<Result<{ readonly metadata: SubmissionMetadata; readonly unknown: readonly string[] }>> {
  const file = files.file(METADATA_FILE);
  if (file === undefined) return success({ metadata: DEFAULT_METADATA, unknown: [] });
  if (file.size > MAX_FILE_BYTES) return failure(`${METADATA_FILE} is longer than ${MAX_FILE_BYTES} bytes`);
  const text = await readStart(file, MAX_FILE_BYTES);
  const json = decodeText(text).replace(/^\ufeff/, '');
  let content: unknown;
  try {
    // An empty file only marks the submission as complete.
    content = json.trim() === '' ? {} : JSON.parse(json);
  } catch {
    return failure(explainUnreadable(json));
  }
  const isValid = await metadataValidator();
  if (!isValid(content)) return failure(`${METADATA_FILE} is invalid: ${describeProblems(isValid.errors ?? [])}`);
  const entries = Object.entries(content);
  const knownMembers = entries
    .filter(([name]) => isMetadataMember(name))
    .map(([name, value]) => [name, value === null ? null : value.trim() || null]);
  return success({
    // Checked above.
    metadata: { ...DEFAULT_METADATA, ...(Object.fromEntries(knownMembers) as Partial<SubmissionMetadata>) },
    unknown: entries.flatMap(([name]) => (isMetadataMember(name) ? [] : [name])),
  });
}

function explainUnreadable(json: string): string {
  const problem = `${METADATA_FILE} is not readable as JSON`;
  if (CURLY_QUOTES.test(json)) {
    return `${problem}: it has curly quotes; write straight ones, as in {"mode": "replace"}`;
  }
  if (json.startsWith('{\\rtf')) return `${problem}: it is rich text; save it as plain text`;
  if (json.startsWith('PK')) return `${problem}: it is an archive or a document; save it as plain text`;
  return `${problem}; write an object such as {"mode": "replace"}, or leave the file empty`;
}

const CURLY_QUOTES = /[\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb]/;

/** UTF-16 with a byte order mark, UTF-8, or else Windows-1252, as in the CSV files. */
function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return decodeWindows1252(bytes) ?? bytes.toString();
}

function describeProblems(errors: readonly ErrorObject[]): string {
  const names = new Set(errors.map(({ instancePath }) => instancePath.slice(1)));
  const sentences = Object.entries(metadataMembers).flatMap(([name, { requirement }]) =>
    names.has(name) ? [`its ${name} must be ${requirement}`] : [],
  );
  return sentences.length === 0 ? 'it must be an object, such as {"mode": "replace"}' : sentences.join(', and ');
}

function isMetadataMember(name: string): boolean {
  return Object.hasOwn(metadataMembers, name);
}

function defineTextMember(meaning: string): MetadataMember {
  const schema = { type: ['string', 'null'], maxLength: MAX_CHARACTERS };
  return { schema, requirement: `text of at most ${MAX_CHARACTERS} characters`, meaning };
}
