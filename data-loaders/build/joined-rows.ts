// Rows as they go to the thread that builds records: as one long piece of memory, because each value costs its handing
// over. Memory is used again (ADR 0046).

/** Staged rows as the items of one JSON list, in UTF-8. */
export interface JoinedRows {
  readonly input: ArrayBuffer;
  readonly rowBytes: number;
}

const LIST_START = '['.charCodeAt(0);
const LIST_END = ']'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);

/** New memory is larger than what it is made for, since the next texts may be a little longer. */
const MEMORY_PER_BYTE = 1.25;

/** Joins rows as `stageRow` wrote them into `memory` if it is large enough, else into new memory. */
export function joinRows(rows: readonly Uint8Array[], memory: ArrayBuffer | undefined): JoinedRows {
  // One bracket before the rows and one behind, and a comma between each two.
  const rowBytes = rows.reduce((bytes, { length }) => bytes + length, 2 + Math.max(0, rows.length - 1));
  const input = memoryFor(rowBytes, memory);
  const joined = new Uint8Array(input);
  let at = 0;
  joined[at++] = LIST_START;
  rows.forEach((row, index) => {
    if (index > 0) joined[at++] = COMMA;
    joined.set(row, at);
    at += row.length;
  });
  joined[at++] = LIST_END;
  return { input, rowBytes };
}

export function rowsText({ input, rowBytes }: JoinedRows): string {
  return Buffer.from(input, 0, rowBytes).toString();
}

function memoryFor(bytes: number, memory: ArrayBuffer | undefined): ArrayBuffer {
  const isEnough = memory !== undefined && memory.byteLength >= bytes;
  return isEnough ? memory : new ArrayBuffer(Math.ceil(bytes * MEMORY_PER_BYTE));
}
