// Joins many short texts as the lines of one long text, which is searched at once.

import { numberAt } from '../../values/number-arrays';

/** Ends each line. Folded texts contain no line feed. */
export const LINE_END = '\n';

export interface Lines {
  /** Every line ends with LINE_END. */
  readonly text: string;
  /** By line, the index in `text` of its LINE_END. */
  readonly ends: Uint32Array;
}

/** `count` is the number of lines in the text. */
export function indexLines(text: string, count: number): Lines {
  const ends = new Uint32Array(count);
  let end = -1;
  for (let line = 0; line < count; line++) {
    end = text.indexOf(LINE_END, end + 1);
    ends[line] = end;
  }
  return { text, ends };
}

export function getLine({ text, ends }: Lines, line: number): string {
  return text.slice((ends[line - 1] ?? -1) + 1, ends[line]);
}

/** Finds the numbers of the lines that contain `part`, ascending. */
export function* findLinesContaining({ text, ends }: Lines, part: string): Iterable<number> {
  let line = 0;
  for (let index = text.indexOf(part); index !== -1; index = text.indexOf(part, numberAt(ends, line))) {
    while (numberAt(ends, line) < index) line++;
    yield line;
  }
}
