// What the records of a group have as one member: their distinct texts, and what the columns that follow from the
// member have for each.

/** Readers skip whole groups by their statistics. */
export const GROUP_ROWS = 50_000;

/** Adds an entry to columns that follow from the member: what they have where it has the value. */
export type EntryWriter = (value: unknown) => void;

export class CodedMember {
  readonly entryOf = new Uint32Array(GROUP_ROWS);
  /** Those of all columns that follow from it. */
  readonly writers: EntryWriter[] = [];
  /** By text. */
  readonly known = new Map<string, number>();
  /** How the key of a record has each entry; empty unless it has the member. */
  readonly keyTexts: string[] = [];
  /** Whether columns show lookups that the member refers to. */
  isReference = false;
  private entries = 0;
  /** The entry and the place of the text in the record before; an empty text is none. */
  last = 0;
  start = 0;
  end = 0;

  /** `before` is as long as what stands before the value in a record's text. */
  constructor(
    readonly name: string,
    readonly before: number,
    private readonly isInKey: boolean,
  ) {}

  /** Adds the entry of a text, which is JSON. */
  addText(text: string): number {
    const value = valueOfJson(text);
    if (this.isInKey) this.keyTexts.push(keyText(value, text));
    this.known.set(text, this.entries);
    return this.add(value);
  }

  /** Adds the entry of a value. */
  add(value: unknown): number {
    for (const write of this.writers) write(value);
    this.last = this.entries++;
    return this.last;
  }

  /** What follows is another group. */
  clear(): void {
    this.known.clear();
    this.keyTexts.length = 0;
    this.entries = 0;
    this.end = this.start;
  }

  /** What follows is of another release, whose lookups may say something else of the same identifiers. */
  startRelease(): void {
    if (this.isReference) this.known.clear();
    this.end = this.start;
  }
}

/** Plain texts and numbers need no parser, which takes three times as long. */
function valueOfJson(text: string): unknown {
  if (text === 'null') return null;
  const isPlain = text.startsWith('"') ? !text.includes('\\') : /^[-\d]/.test(text);
  if (!isPlain) return JSON.parse(text);
  return text.startsWith('"') ? text.slice(1, -1) : Number(text);
}

/** As recordKey has it: a list counts as a set. */
function keyText(value: unknown, text: string): string {
  return Array.isArray(value) ? JSON.stringify(value.map((item) => JSON.stringify(item)).sort()) : text;
}
