// Reads submission.json: how a submission is meant, who sent it, and under which terms its data may be used (ADR 0023).
// Its members are declared here once; docs/submitting.md follows from them.

import { Ajv } from 'ajv';
import { failure, success, type Result } from '../../shared/values/result';
import { startOf, type SubmittedFiles } from './submitted-files';

export const METADATA_FILE = 'submission.json';

/** They stand in every catalog state, which is read at each request; longer terms have an address. */
const MAX_CHARACTERS = 2000;

const MAX_FILE_BYTES = 64 * 1024;

interface MetadataMember {
  readonly schema: Readonly<Record<string, unknown>>;
  /** The end of the sentence that says what a value must be. */
  readonly must: string;
  /** The meaning of the member, for docs/submitting.md. */
  readonly meaning: string;
}

export const metadataMembers = {
  mode: {
    schema: { enum: ['replace', 'merge'] },
    must: '"replace" or "merge"',
    meaning: '`replace` (the default) or `merge`, see below',
  },
  contact: textMember('Whom to ask about this submission, such as an address for email'),
  note: textMember('What you want to remember of it, such as its occasion'),
  termsOfUse: textMember('Under which terms the data may be used: the text, or its web address'),
  license: {
    schema: { type: ['string', 'null'], maxLength: MAX_CHARACTERS, format: 'web-address' },
    must: `a web address that starts with https:// or http://, of at most ${MAX_CHARACTERS} characters`,
    meaning: 'The web address of the licence that the data are under',
  },
  citation: textMember('How the data are to be cited'),
} as const satisfies Readonly<Record<string, MetadataMember>>;

type MemberName = keyof typeof metadataMembers;

/** A missing member says nothing; one that is null or blank says that there is none. */
export type SubmissionMetadata = { readonly mode: 'replace' | 'merge' } & Readonly<
  Partial<Record<Exclude<MemberName, 'mode'>, string | null>>
>;

const DEFAULT_METADATA: SubmissionMetadata = { mode: 'replace' };

export const METADATA_SCHEMA = {
  type: 'object',
  properties: Object.fromEntries(Object.entries(metadataMembers).map(([name, { schema }]) => [name, schema])),
} as const;

/** A test checks that the schema is one: at each start of a program that would take longer than all else here. */
const UNCHECKED = { meta: false, validateSchema: false };

const fits = new Ajv({ allErrors: true, allowUnionTypes: true, ...UNCHECKED })
  .addFormat('web-address', (value: string) => {
    const address = value.trim();
    return address === '' || (/^https?:\/\/\S+$/i.test(address) && URL.canParse(address));
  })
  .compile<Partial<SubmissionMetadata>>(METADATA_SCHEMA);

/** `unknown` are the members that no declaration names. */
export async function readMetadata(
  files: SubmittedFiles,
): Promise<Result<{ readonly metadata: SubmissionMetadata; readonly unknown: readonly string[] }>> {
  const file = files.file(METADATA_FILE);
  if (file === undefined) return success({ metadata: DEFAULT_METADATA, unknown: [] });
  if (file.size > MAX_FILE_BYTES) return failure(`${METADATA_FILE} is longer than ${MAX_FILE_BYTES} bytes`);
  const text = await startOf(file, MAX_FILE_BYTES);
  let content: unknown;
  try {
    content = JSON.parse(text.toString().replace(/^\ufeff/, ''));
  } catch {
    return failure(`${METADATA_FILE} is not readable as JSON`);
  }
  if (!fits(content)) return failure(`${METADATA_FILE} does not fit: ${describeProblems()}`);
  const entries = Object.entries(content);
  const known = entries
    .filter(([name]) => isMember(name))
    .map(([name, value]) => [name, value === null ? null : value.trim() || null]);
  return success({
    metadata: { ...DEFAULT_METADATA, ...(Object.fromEntries(known) as Partial<SubmissionMetadata>) }, // Checked above.
    unknown: entries.flatMap(([name]) => (isMember(name) ? [] : [name])),
  });
}

function describeProblems(): string {
  const names = new Set((fits.errors ?? []).map(({ instancePath }) => instancePath.slice(1)));
  const sentences = Object.entries(metadataMembers).flatMap(([name, { must }]) =>
    names.has(name) ? [`its ${name} must be ${must}`] : [],
  );
  return sentences.length === 0 ? 'it must be an object, such as {"mode": "replace"}' : sentences.join(', and ');
}

function isMember(name: string): boolean {
  return Object.hasOwn(metadataMembers, name);
}

function textMember(meaning: string): MetadataMember {
  const schema = { type: ['string', 'null'], maxLength: MAX_CHARACTERS };
  return { schema, must: `text of at most ${MAX_CHARACTERS} characters`, meaning };
}
