// A document of headings, paragraphs, lists and tables, such as the report of a load. It is written once and rendered as
// Markdown and as HTML, so both have the same words.

/** Text from a file, or a name, shown verbatim. */
interface CodeText {
  readonly code: string;
}

interface StrongText {
  readonly strong: string;
}

/** Backticks in a string enclose code. */
export type Inline = string | CodeText | StrongText;

export type Text = Inline | readonly Inline[];

export interface Heading {
  readonly kind: 'heading';
  /** Level 1 is the title of the document. */
  readonly level: 2 | 3;
  readonly text: string;
}

export interface Paragraph {
  readonly kind: 'paragraph';
  readonly text: Text;
}

export interface List {
  readonly kind: 'list';
  readonly items: readonly Text[];
}

export interface TableColumn {
  readonly name: string;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
}

export interface Table {
  readonly kind: 'table';
  /** Describes the table to screen readers. Omitted in Markdown. */
  readonly label: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly Text[])[];
}

export type Block = Heading | Paragraph | List | Table;

export interface DocumentText {
  readonly title: string;
  readonly blocks: readonly Block[];
}

export function heading(level: Heading['level'], text: string): Heading {
  return { kind: 'heading', level, text };
}

export function paragraph(text: Text): Paragraph {
  return { kind: 'paragraph', text };
}

export function list(items: readonly Text[]): List {
  return { kind: 'list', items };
}

export function table(label: string, columns: readonly TableColumn[], rows: Table['rows']): Table {
  return { kind: 'table', label, columns, rows };
}

export function column(name: string): TableColumn {
  return { name };
}

export function numberColumn(name: string): TableColumn {
  return { name, isNumber: true };
}

/** Returns the parts of a text, in order. */
export function listInlines(text: Text): readonly Inline[] {
  return typeof text === 'object' && !('code' in text) && !('strong' in text) ? text : [text];
}
