// Cuts the JSON texts of objects without parsing them: texts that one writer made of objects which all have the same
// members in the same order, without spaces. A mark such as `,"Name":` stands in no string, where quotes have a
// backslash before them; so each member begins behind its mark and ends before that of the next member. Objects inside
// a list must not have the marks of the members behind it.

interface Mark {
  /** Where the text of the member stands in what is returned: more than once if it is named so. */
  readonly slots: readonly number[];
  /** Undefined when the member follows the one before, whose end is known. */
  readonly start: string | undefined;
  readonly startLength: number;
  /** Undefined for the last member of the object. */
  readonly end: string | undefined;
}

export class MemberCutter {
  private readonly marks: readonly Mark[];
  private readonly positions: Uint32Array;

  /** `names` are all members in their order, `wanted` those that are cut out. */
  constructor(names: readonly string[], wanted: readonly string[]) {
    const markOf = (index: number): string => `${index === 0 ? '{' : ','}"${names[index] ?? ''}":`;
    const missing = wanted.find((name) => !names.includes(name));
    if (missing !== undefined) throw new Error(`objects have no member ${missing}`);
    const indexes = names.flatMap((name, index) => (wanted.includes(name) ? [index] : []));
    this.marks = indexes.map((index, at) => ({
      slots: wanted.flatMap((name, slot) => (name === names[index] ? [slot] : [])),
      start: at > 0 && indexes[at - 1] === index - 1 ? undefined : markOf(index),
      startLength: markOf(index).length,
      end: index === names.length - 1 ? undefined : markOf(index + 1),
    }));
    this.positions = new Uint32Array(2 * wanted.length);
  }

  /**
   * The start and the end of the text of each member that is wanted, in the order in which they were named. The object
   * stands from `start` to before `end`. What is returned is overwritten by the next call.
   */
  locate(text: string, start: number, end: number): Uint32Array {
    let at = start;
    for (const mark of this.marks) {
      const found = mark.start === undefined ? at : text.indexOf(mark.start, at);
      const first = found + mark.startLength;
      at = mark.end === undefined ? end - 1 : text.indexOf(mark.end, first);
      if (found === -1 || at === -1 || at >= end) throw new Error('an object that lacks a member');
      for (const slot of mark.slots) {
        this.positions[2 * slot] = first;
        this.positions[2 * slot + 1] = at;
      }
    }
    return this.positions;
  }

  /** The text of each member that is wanted. */
  cut(text: string, start = 0, end = text.length): readonly string[] {
    const positions = this.locate(text, start, end);
    const texts: string[] = [];
    for (let at = 0; at < positions.length; at += 2) texts.push(text.slice(positions[at], positions[at + 1]));
    return texts;
  }
}

/**
 * Calls `visit` with the start and the end of each object of a list, whose brackets are left out. No object inside them
 * begins with the member with which they begin.
 */
export function visitObjects(text: string, firstName: string, visit: (start: number, end: number) => void): void {
  if (text === '') return;
  const mark = `},{"${firstName}":`;
  let start = 0;
  for (let found = text.indexOf(mark); found !== -1; found = text.indexOf(mark, start)) {
    visit(start, found + 1);
    start = found + 2;
  }
  visit(start, text.length);
}
