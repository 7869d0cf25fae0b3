/** Part of a release is damaged (ADR 0050). */
export class DamagedReleaseError extends Error {
  /** `problem` completes a sentence that begins with "the release is damaged:". */
  constructor(
    readonly problem = 'its content does not match its checksum',
    { releaseId, ...options }: ErrorOptions & { readonly releaseId?: string } = {},
  ) {
    const release = releaseId === undefined ? 'the release' : `the release ${releaseId}`;
    super(`${release} is damaged: ${problem}; run: npm run releases -- check`, options);
  }
}
