// Checks the first bytes of a submission's files before any row is read (ADR 0051). If a file is not CSV, or its header
// is not on the first line, every row would be rejected for misleading reasons. So the submission is refused with an
// explanation and instructions.

import { getOrAdd } from '../../shared/values/maps';
import type { SubmissionFile } from '../format/column';
import { submissionFiles } from '../format/submission-files';
import { readStart, type SubmittedFile, type SubmittedFiles } from '../format/submitted-files';
import { findMisnamedFiles } from './file-names';
import { DELETE_COLUMN } from './match-header';

/**
 * The reason to refuse the submission, as the end of a sentence after "Refused: "; undefined if all files have the
 * format that their names imply.
 */
export async function checkFileStarts(files: SubmittedFiles): Promise<string | undefined> {
  /** The names of files, keyed by their problem. */
  const filesByProblem = new Map<string, string[]>();
  for (const file of submissionFiles) {
    const submitted = files.file(file.name);
    const problem = submitted && (await findStartProblem(submitted, file));
    if (problem !== undefined) getOrAdd(filesByProblem, problem, () => []).push(file.name);
  }
  const startProblems = [...filesByProblem].map(([problem, names]) => `${formatNames(names)}: ${problem}`);
  const problems = [...findMisnamedFiles(files), ...startProblems];
  return problems.length === 0 ? undefined : problems.join('; ');
}

function formatNames(names: readonly string[]): string {
  return names.length === 1 ? names.join('') : `each of ${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** Enough for any header: a header with all older names takes 2 KB. */
const START_BYTES = 64 * 1024;

/** Enough lines for titles above a header. */
const MAX_LINES = 20;

const SEPARATORS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

async function findStartProblem(submitted: SubmittedFile, file: SubmissionFile): Promise<string | undefined> {
  const start = await readStart(submitted, START_BYTES);
  const format = detectOtherFormat(start);
  if (format !== undefined) return `it is ${format}, not CSV; export its rows as CSV in UTF-8`;
  const text = start.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '');
  if (text.includes('\r') && !text.includes('\n')) {
    return 'its lines end with carriage returns alone, as on old Macintosh computers; export its rows as CSV in UTF-8';
  }
  return findHeaderProblem(text, file);
}

/** A line that may be the header, split at one of the separators. */
interface HeaderLine {
  readonly line: number;
  readonly separator: string;
  /** The number of declared columns whose names are on the line. */
  readonly columns: number;
}

/** Finds the header: the line with the most column names, split at the separator that yields the most. */
function findHeaderProblem(text: string, { columns }: SubmissionFile): string | undefined {
  const names = Object.entries(columns).flatMap(([name, { synonyms }]) => [name, ...synonyms]);
  const knownNames = new Set([...names, DELETE_COLUMN].map((name) => name.toLowerCase()));
  const lines = text.split(/\r?\n/, MAX_LINES);
  const candidates = lines.flatMap((line, index) =>
    Object.keys(SEPARATORS).map((separator): HeaderLine => {
      const cells = line.split(separator).map((cell) => cell.replaceAll('"', '').trim().toLowerCase());
      return { line: index + 1, separator, columns: new Set(cells.filter((cell) => knownNames.has(cell))).size };
    }),
  );
  const first = lines.findIndex((line) => /[^,\s]/.test(line)) + 1;
  const expectedColumns = candidates.find(({ line, separator }) => line === first && separator === ',')?.columns ?? 0;
  const best = candidates.reduce((best, other) => (other.columns > best.columns ? other : best), {
    ...NO_HEADER,
    columns: expectedColumns,
  });
  // A single matching name may be the content of a cell.
  if (best.columns < 2 || best.columns === expectedColumns) return undefined;
  const problems = [
    ...(best.separator === ','
      ? []
      : [`its cells are separated by ${SEPARATORS[best.separator] ?? ''}; save it with commas`]),
    ...(best.line === first ? [] : [`its header is line ${best.line}; remove the lines above it`]),
  ];
  return problems.join(', and ');
}

const NO_HEADER: HeaderLine = { line: 1, separator: ',', columns: 0 };

/** Enough bytes to recognize a file that is not text. */
const HEADER_BYTES = 4096;

const ARCHIVE = 'a compressed archive';
const UTF_16 = 'text in UTF-16';

const SIGNATURES: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive or an Excel workbook'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'an Excel workbook in an old format'],
  [[0x1f, 0x8b], ARCHIVE],
  [[0x42, 0x5a, 0x68], ARCHIVE],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], ARCHIVE],
  [[0x28, 0xb5, 0x2f, 0xfd], ARCHIVE],
  [[0x37, 0x7a, 0xbc, 0xaf], ARCHIVE],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document'],
  [[0xff, 0xfe], UTF_16],
  [[0xfe, 0xff], UTF_16],
];

/** Texts with which no CSV header starts. */
const MARKUP: readonly (readonly [text: string, what: string])[] = [
  ['<', 'HTML or XML'],
  ['{', 'JSON'],
  ['[', 'JSON'],
];

/** The format of a file whose start cannot be CSV; undefined if it may be CSV. Only the header must be text. */
function detectOtherFormat(start: Buffer): string | undefined {
  const candidates = SIGNATURES.find(([bytes]) => start.subarray(0, bytes.length).equals(Buffer.from(bytes)));
  if (candidates !== undefined) return candidates[1];
  const [header = ''] = start.subarray(0, HEADER_BYTES).toString('latin1').split('\n', 1);
  if (!header.includes('\0')) return MARKUP.find(([text]) => header.trimStart().startsWith(text))?.[1];
  // In UTF-16, Latin letters have a zero byte before or after them.
  return /^(?:[^\0]\0){4}|^(?:\0[^\0]){4}/.test(header) ? UTF_16 : 'not text';
}
