// Cuts the JSON texts of objects without parsing them: texts that one writer made of objects which all have the same
// members in the same order, without spaces. A mark such as `,"Name":` stands in no string, where quotes have a
// backslash before them; so each member begins behind its mark and ends before that of the next member. Objects inside
// a list must not have the marks of the members behind it.

interface Mark {
  /** Where the text of the member stands in what is returned. */
  readonly slot: number;
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
    const indexes = wanted.map((name, slot) => ({ slot, index: names.indexOf(name) }));
    if (indexes.some(({ index }) => index === -1)) throw new Error(`members that objects lack among ${wanted.join()}`);
    indexes.sort((a, b) => a.index - b.index);
    this.marks = indexes.map(({ slot, index }, at) => ({
      slot,
      start: at > 0 && indexes[at - 1]?.index === index - 1 ? undefined : markOf(index),
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
      this.positions[2 * mark.slot] = first;
      this.positions[2 * mark.slot + 1] = at;
    }
    return this.positions;
  }

  /** The text of each member that is wanted. */
  cut(text: string, start = 0, end = text.length): readonly string[] {
    const positions = this.locate(text, start, end);
    return Array.from({ length: positions.length / 2 }, (_, slot) => {
      return text.slice(positions[2 * slot], positions[2 * slot + 1]);
    });
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
