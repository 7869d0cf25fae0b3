// Opens a workbook (.xlsx, ECMA-376): its sheets, its strings and the number formats of its styles.

import type { Readable } from 'node:stream';
import type { Archive } from './archive';
import { findNumberKind, type NumberKind } from './cell-texts';
import { PackageProblem } from './package-problem';
import { readWholeXml } from './xml-reader';

export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** The path of the sheet's part in the archive. */
  readonly path: string;
}

export interface Workbook {
  readonly sheets: readonly Sheet[];
  /** The strings that cells refer to by number. */
  readonly texts: readonly string[];
  /** The kind of number, keyed by style. */
  readonly styles: readonly NumberKind[];
  readonly has1904Dates: boolean;
}

const WORKBOOK_PATH = /^\/?xl\/workbook\.xml$/i;

/** Whether an archive is a workbook, regardless of its file name. */
export function isWorkbookArchive({ entries }: Archive): boolean {
  return [...entries.keys()].some((path) => WORKBOOK_PATH.test(path));
}

/** Rejects with a PackageProblem if the workbook cannot be read. */
export async function openWorkbook(archive: Archive): Promise<Workbook> {
  const targets = await readRelations(archive);
  const { sheets, has1904Dates } = await readSheets(archive, targets);
  if (sheets.length === 0) throw new PackageProblem(`${archive.name} has no sheet of rows`);
  return {
    sheets,
    has1904Dates,
    texts: await readTexts(archive, targets),
    styles: await readStyles(archive, targets),
  };
}

/** The entry of a part. Paths in workbooks ignore letter case. */
export async function openPart(archive: Archive, path: string): Promise<Readable | undefined> {
  const found = [...archive.entries].find(([other]) => other.toLowerCase() === path.toLowerCase());
  return found && (await archive.open(found[1]));
}

async function readPart(archive: Archive, path: string, handler: Parameters<typeof readWholeXml>[1]): Promise<void> {
  const stream = await openPart(archive, path);
  if (stream !== undefined) await readWholeXml(stream, handler);
}

interface Relation {
  readonly id: string;
  /** The last part of the address that identifies the type, such as `worksheet`. */
  readonly type: string;
  readonly path: string;
}

async function readRelations(archive: Archive): Promise<readonly Relation[]> {
  const relations: Relation[] = [];
  await readPart(archive, 'xl/_rels/workbook.xml.rels', {
    open: (name, { Id: id = '', Type: type = '', Target: target = '' }) => {
      if (name !== 'Relationship') return;
      const path = target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`;
      relations.push({ id, type: type.slice(type.lastIndexOf('/') + 1), path });
    },
  });
  return relations;
}

async function readSheets(
  archive: Archive,
  relations: readonly Relation[],
): Promise<Pick<Workbook, 'sheets' | 'has1904Dates'>> {
  const sheets: Sheet[] = [];
  let has1904Dates = false;
  await readPart(archive, 'xl/workbook.xml', {
    open: (element, attributes) => {
      if (element === 'workbookPr') has1904Dates = /^(1|true)$/.test(attributes['date1904'] ?? '');
      if (element !== 'sheet') return;
      const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1];
      const relation = relations.find((candidate) => candidate.id === id);
      // A chart sheet has no rows.
      if (relation?.type !== 'worksheet') return;
      const isHidden = /^(hidden|veryHidden)$/.test(attributes['state'] ?? '');
      sheets.push({ name: (attributes['name'] ?? '').trim(), isHidden, path: relation.path });
    },
  });
  return { sheets, has1904Dates };
}

/** The maximum number of characters, because all strings are in memory while the rows are read. */
const MAX_SHARED_CHARACTERS = 128 * 1024 * 1024;

async function readTexts(archive: Archive, relations: readonly Relation[]): Promise<readonly string[]> {
  const texts: string[] = [];
  const reader = new TextReader();
  let characters = 0;
  await readPart(archive, findPath(relations, 'sharedStrings'), {
    open: (name) => {
      if (name === 'si') reader.start();
      else reader.open(name);
    },
    text: (text) => {
      reader.add(text);
    },
    close: (name) => {
      reader.close(name);
      if (name !== 'si') return;
      const text = reader.finish();
      texts.push(text);
      characters += text.length;
      if (characters > MAX_SHARED_CHARACTERS) {
        throw new PackageProblem(`${archive.name} has more text than can be read; save each sheet as CSV (CSV UTF-8)`);
      }
    },
  });
  return texts;
}

function findPath(relations: readonly Relation[], type: string): string {
  return relations.find((relation) => relation.type === type)?.path ?? `xl/${type}.xml`;
}

/**
 * Reads a string, which may consist of several runs with their own formatting. Omits phonetic guides in East Asian
 * texts.
 */
export class TextReader {
  private text = '';
  private isInText = false;
  private isInAid = false;

  start(): void {
    this.text = '';
    this.isInText = false;
    this.isInAid = false;
  }

  open(name: string): void {
    if (name === 't') this.isInText = true;
    if (name === 'rPh') this.isInAid = true;
  }

  add(text: string): void {
    if (this.isInText && !this.isInAid) this.text += text;
  }

  close(name: string): void {
    if (name === 't') this.isInText = false;
    if (name === 'rPh') this.isInAid = false;
  }

  /** Decodes characters that XML cannot contain, which are written as _xHHHH_. */
  finish(): string {
    return this.text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  }
}

async function readStyles(archive: Archive, relations: readonly Relation[]): Promise<readonly NumberKind[]> {
  const patterns = new Map<number, string>();
  const styles: NumberKind[] = [];
  let isInCellStyles = false;
  await readPart(archive, findPath(relations, 'styles'), {
    open: (name, attributes) => {
      const id = Number(attributes['numFmtId'] ?? 0);
      if (name === 'numFmt') patterns.set(id, attributes['formatCode'] ?? '');
      if (name === 'cellXfs') isInCellStyles = true;
      if (name === 'xf' && isInCellStyles) styles.push(findNumberKind(id, patterns.get(id)));
    },
    close: (name) => {
      if (name === 'cellXfs') isInCellStyles = false;
    },
  });
  return styles;
}
