// Writes a CSV file of any size from a sequence of lines, with a bounded amount of memory.

import { open } from 'node:fs/promises';

export interface WrittenFile {
  /** Without the header. */
  readonly rows: number;
  readonly bytes: number;
}

/** Large enough that writing costs little beside making the lines, small enough to be no matter in memory. */
const CHUNK_CHARACTERS = 1 << 20;

/** The next lines are asked for only when the former are written, so a slow disk slows the generator down. */
export async function writeCsvFile(
  path: string,
  columns: readonly string[],
  lines: Iterable<string>,
): Promise<WrittenFile> {
  const file = await open(path, 'w');
  try {
    let rows = 0;
    let bytes = 0;
    let text = `${columns.join(',')}\n`;
    const flush = async (): Promise<void> => {
      const chunk = Buffer.from(text);
      text = '';
      bytes += chunk.length;
      await file.writeFile(chunk);
    };
    for (const line of lines) {
      text += `${line}\n`;
      rows += 1;
      if (text.length >= CHUNK_CHARACTERS) await flush();
    }
    await flush();
    return { rows, bytes };
  } finally {
    await file.close();
  }
}
