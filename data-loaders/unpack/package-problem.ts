// The reason why an archive or a workbook cannot be read (D76).

/** The message is a sentence without a period, for people. */
export class PackageProblem extends Error {}

/** For any failure while a package is read, rejects with a PackageProblem that identifies the file. */
export async function explainFailure<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof PackageProblem || hasSystemCode(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new PackageProblem(
      `${name} cannot be read: it is damaged or incomplete (${reason.replace(/\.$/, '')}); create it again`,
    );
  }
}

/** A failure of the disk does not mean that the submission is bad. */
function hasSystemCode(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) && code !== 'EBADF';
}
