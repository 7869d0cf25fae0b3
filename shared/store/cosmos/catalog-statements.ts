// Statements of submissions: contact, note, terms of use, license, citation. Such texts may be long, and most data sets
// of an organization share them. So an entry of a catalog state contains a reference, and the texts are in append-only
// lists, each of which an instance reads once. A list that no state refers to is deleted.

import { randomUUID } from 'node:crypto';
import type { CatalogEntry, SubmissionStatement } from '../catalog-types';
import type { CosmosCalls } from './calls';
import { type CosmosDocument, countJsonBytes, type Partition } from './document-names';
import { QUERIES } from './queries';
import { LEASE_MS } from './registry-documents';

type Statement = Omit<SubmissionStatement, 'name'>;

/** The name of a list, and the index in it. */
type StatementReference = readonly [list: string, index: number];

/** An entry as stored: identifiers and counts. */
export interface StoredEntry extends Omit<CatalogEntry, 'submission'> {
  /** Without a reference, all texts are null. */
  readonly submission?: { readonly name: string; readonly statement?: StatementReference };
}

export interface StatementsDocument extends CosmosDocument {
  readonly kind: 'statements';
  readonly statements: readonly Statement[];
  /** The time of the last write: ISO 8601, UTC. */
  readonly writtenAt: string;
}

type ListedDocument = Pick<StatementsDocument, 'id' | 'writtenAt'>;

interface StatementList {
  readonly name: string;
  readonly statements: readonly Statement[];
}

/** Entries to store, and the list that the pointer will refer to. */
export interface StoredEntries {
  readonly entries: readonly StoredEntry[];
  readonly list: StatementList;
}

/** Reading a list costs 20 request units. */
const LIST_BYTES = 262_144;

const NO_STATEMENT: Statement = { contact: null, note: null, termsOfUse: null, license: null, citation: null };

export class CatalogStatements {
  private readonly lists = new Map<string, readonly Statement[]>();

  constructor(
    private readonly calls: CosmosCalls,
    private readonly place: Partition,
    private readonly now: () => Date,
  ) {}

  /** Replaces the references with their texts. */
  async complete(stored: readonly StoredEntry[]): Promise<readonly CatalogEntry[]> {
    await this.readLists(stored);
    return stored.map((entry) => this.completeEntry(entry));
  }

  /**
   * Replaces texts with references. Texts that `previous` or the current list contains are not stored again. The others
   * are added to the current list, which the caller writes. If it is full, new lists are started, and all but the last
   * are written here.
   */
  async prepare(
    entries: readonly CatalogEntry[],
    previous: readonly StoredEntry[],
    currentList: string | undefined,
  ): Promise<StoredEntries> {
    const current: StatementList = {
      name: currentList ?? randomUUID(),
      statements: currentList === undefined ? [] : await this.readList(currentList),
    };
    await this.readLists(previous);
    const references = new Map(previous.flatMap((entry) => this.listReference(entry)));
    addReferences(references, current);
    const added = listNewStatements(entries, references);
    const joined: StatementList = { ...current, statements: [...current.statements, ...added] };
    // Another publisher may add to the current list at the same time, so only the caller's transaction writes it.
    const fits = added.length === 0 || countJsonBytes(joined.statements) <= LIST_BYTES;
    const lists = fits ? [joined] : splitIntoLists(added);
    for (const list of lists) addReferences(references, list);
    for (const list of lists.slice(0, -1)) {
      await this.calls.write(this.place, [{ operationType: 'Upsert', resourceBody: this.buildDocument(list) }]);
    }
    return { entries: entries.map((entry) => toStored(entry, references)), list: lists.at(-1) ?? current };
  }

  buildDocument({ name, statements }: StatementList): StatementsDocument {
    const writtenAt = this.now().toISOString();
    return { id: getListId(name), partition: this.place.partition, kind: 'statements', statements, writtenAt };
  }

  /**
   * Deletes lists that are not used. Keeps the most recent ones, because a publisher may write lists some time before
   * the state that refers to them.
   */
  async deleteUnused(used: ReadonlySet<string>): Promise<void> {
    const before = new Date(this.now().getTime() - LEASE_MS).toISOString();
    const usedIds = new Set([...used].map(getListId));
    const stored = await this.calls.query<ListedDocument>(this.place, { text: QUERIES.statementLists });
    for (const { id, writtenAt } of stored) {
      if (usedIds.has(id) || writtenAt >= before) continue;
      await this.calls.write(this.place, [{ operationType: 'Delete', id }]);
    }
  }

  private completeEntry({ submission, ...entry }: StoredEntry): CatalogEntry {
    if (submission === undefined) return entry;
    const { name, statement: reference } = submission;
    const statement = reference === undefined ? NO_STATEMENT : this.getStatement(reference);
    return { ...entry, submission: { name, ...statement } };
  }

  private listReference({ submission }: StoredEntry): readonly (readonly [text: string, StatementReference])[] {
    const reference = submission?.statement;
    return reference === undefined ? [] : [[JSON.stringify(this.getStatement(reference)), reference]];
  }

  private getStatement([list, index]: StatementReference): Statement {
    const statement = this.lists.get(list)?.[index];
    if (statement === undefined) throw new Error(`the catalog lacks the list of statements ${list}`);
    return statement;
  }

  /** Reads the lists that entries refer to, unless they are in memory up to the highest index needed. */
  private async readLists(stored: readonly StoredEntry[]): Promise<void> {
    const lengths = new Map<string, number>();
    for (const { submission } of stored) {
      const [list, index] = submission?.statement ?? [];
      if (list !== undefined && index !== undefined) lengths.set(list, Math.max(lengths.get(list) ?? 0, index + 1));
    }
    const missing = [...lengths].filter(([list, length]) => (this.lists.get(list)?.length ?? 0) < length);
    await Promise.all(missing.map(([list]) => this.readList(list)));
  }

  private async readList(name: string): Promise<readonly Statement[]> {
    const stored = await this.calls.read<StatementsDocument>(this.place, getListId(name));
    const statements = stored?.document.statements ?? [];
    this.lists.set(name, statements);
    return statements;
  }
}

function listNewStatements(
  entries: readonly CatalogEntry[],
  references: ReadonlyMap<string, StatementReference>,
): readonly Statement[] {
  const added = new Map<string, Statement>();
  for (const { submission } of entries) {
    const statement = submission && getTexts(submission);
    if (statement === undefined) continue;
    const text = JSON.stringify(statement);
    if (!references.has(text)) added.set(text, statement);
  }
  return [...added.values()];
}

function splitIntoLists(statements: readonly Statement[]): readonly StatementList[] {
  const lists: { readonly name: string; readonly statements: Statement[] }[] = [];
  let bytes = Infinity;
  for (const statement of statements) {
    const size = countJsonBytes(statement) + 1;
    if (bytes + size > LIST_BYTES) {
      lists.push({ name: randomUUID(), statements: [] });
      bytes = 0;
    }
    lists.at(-1)?.statements.push(statement);
    bytes += size;
  }
  return lists;
}

/** Lists the names of the lists that entries refer to. */
export function listUsedLists(entries: readonly StoredEntry[]): readonly string[] {
  return entries.flatMap(({ submission }) => submission?.statement?.[0] ?? []);
}

function addReferences(references: Map<string, StatementReference>, { name, statements }: StatementList): void {
  for (const [index, statement] of statements.entries()) references.set(JSON.stringify(statement), [name, index]);
}

function toStored(
  { submission, ...entry }: CatalogEntry,
  references: ReadonlyMap<string, StatementReference>,
): StoredEntry {
  if (submission === undefined) return entry;
  const { name } = submission;
  const texts = getTexts(submission);
  const statement = texts && references.get(JSON.stringify(texts));
  return { ...entry, submission: statement === undefined ? { name } : { name, statement } };
}

/**
 * Returns the texts in a fixed order of members, so that equal statements have equal JSON; undefined if all are null.
 */
function getTexts({ contact, note, termsOfUse, license, citation }: SubmissionStatement): Statement | undefined {
  const texts = [contact, note, termsOfUse, license, citation];
  return texts.every((text) => text === null) ? undefined : { contact, note, termsOfUse, license, citation };
}

function getListId(name: string): string {
  return `statements-${name}`;
}
