// Finds files with names similar to the expected names, such as `site.csv` for `sites.csv` (ADR 0051).

import { editDistance } from '../../shared/values/nearest-names';
import { isArchive, isReadyFile, isWorkbook } from '../format/entry-names';
import { submissionFiles } from '../format/submission-files';
import { METADATA_FILE } from '../format/submission-metadata';
import { type SubmittedFiles } from '../format/submitted-files';
import { listInnerFolders } from './submission-folder';

/** Files whose names differ slightly from the expected names: in letter case, or as `site.csv` or `sites (1).csv`. */
export function findMisnamedFiles(files: SubmittedFiles): readonly string[] {
  const names = [...submissionFiles.map(({ name }) => name), METADATA_FILE];
  const others = files.names().filter((name) => !names.includes(name) && !isReadyFile(name));
  const misnamed = names.flatMap((name) => {
    if (files.file(name) !== undefined) return [];
    const candidate = others.find((other) => files.file(other) !== undefined && isMeantAs(other, name));
    return candidate === undefined ? [] : [adviseName(candidate, name)];
  });
  return misnamed.length > 0 || names.some((name) => files.file(name) !== undefined) ? misnamed : findPackages(files);
}

/**
 * Advice for a folder without any expected file that contains an archive or workbook, which probably holds the files.
 */
function findPackages(files: SubmittedFiles): readonly string[] {
  const inner = listInnerFolders(files);
  if (inner.length > 0) {
    const folders = inner.map((folder) => `${folder}/`).join(' and ');
    return [`the files are in subfolders, ${folders}: send each of these folders as a submission of its own`];
  }
  const names = files.names().filter((name) => files.file(name) !== undefined);
  return [
    ...names.filter(isArchive).map((name) => `${name} is an archive: unpack it and send the files that are in it`),
    ...names.filter(isWorkbook).map((name) => `${name} is a workbook: ${SAVE_SHEETS}`),
  ];
}

const SAVE_SHEETS = 'save each sheet as a CSV file (CSV UTF-8) with the name of the format, such as sites.csv';

function adviseName(candidate: string, name: string): string {
  if (isWorkbook(candidate)) return `${candidate} is a workbook: save its sheet as ${name} (CSV UTF-8)`;
  if (isArchive(candidate)) return `${candidate} is an archive: unpack it and send ${name}`;
  if (!isNearlyName(candidate, name)) return `${candidate} may be meant as ${name}: rename it to ${name}`;
  return `${candidate} seems to be meant as ${name}: rename it to ${name}`;
}

/** An archive or workbook is never suggested for submission.json. */
function isMeantAs(other: string, name: string): boolean {
  if (name === METADATA_FILE && (isArchive(other) || isWorkbook(other))) return false;
  return isNearlyName(other, name) || isCopyOf(other, name);
}

/** Words that programs and people add to a copy's name, without spaces and punctuation. */
const COPY_WORDS = /^(?:copyof|kopievon|copiede|copiade)|(?:copy|kopie|copie|copia|final|new|old|latest|export)$/;

/** Whether the name looks like a copy, such as `sites - Copy.csv`, `Copy of sites.csv` or `sites_final.csv`. */
function isCopyOf(other: string, name: string): boolean {
  return extractLetters(other).replace(COPY_WORDS, '') === extractLetters(name);
}

/** Matches reports of an earlier load, which may be in the folder. */
const REPORT_NAME = /^(?:submitted-)?report\.(?:json|md|html)$/;

/**
 * The maximum number of typing errors in a name. Two are allowed only in a name so long that no other word is similar.
 */
const MAX_SLIPS = { ofShort: 1, ofLong: 2, long: 9 };

/**
 * Whether one name can only be a misspelling of the other: their letters are the same except for a typing error or two.
 */
function isNearlyName(other: string, name: string): boolean {
  if (REPORT_NAME.test(other)) return false;
  const letters = extractLetters(other);
  const nameLetters = extractLetters(name);
  const slips = nameLetters.length < MAX_SLIPS.long ? MAX_SLIPS.ofShort : MAX_SLIPS.ofLong;
  return editDistance(letters, nameLetters, slips) <= slips;
}

/** The file with the expected name that exists and has the same letters, such as `sites.csv` next to `SITES.csv`. */
export function findSameName(other: string, files: SubmittedFiles): string | undefined {
  const letters = extractLetters(other);
  const present = submissionFiles.map(({ name }) => name).filter((name) => files.file(name) !== undefined);
  return present.find((name) => extractLetters(name) === letters);
}

/** The minimum number of letters, because shorter texts occur in many names by chance. */
const MIN_LETTERS = 5;

/** Missing files whose names contain this name: `water.csv` may stand for waterallocations.csv. */
export function findSimilarFiles(other: string, files: SubmittedFiles): readonly string[] {
  const letters = extractLetters(other);
  if (letters.length < MIN_LETTERS) return [];
  const absent = submissionFiles.map(({ name }) => name).filter((name) => files.file(name) === undefined);
  return absent.filter((name) => extractLetters(name).includes(letters));
}

/** The letters of a file's name before the first dot. */
function extractLetters(name: string): string {
  return name
    .replace(/\..*$/, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}
