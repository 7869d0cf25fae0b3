// The reason why an archive or a workbook cannot be read (D76).

/** The message is a sentence without a period, for people. */
export class PackageProblem extends Error {}

/** Rejects with a PackageProblem that names the file, for any failure while a package is read. */
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

/** Failures of the disk are not failures of the submission. */
function hasSystemCode(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) && code !== 'EBADF';
}
