/** The `test` function of jest, or of a command that runs the checks one after another. */
export type DeclareCheck = (name: string, run: () => Promise<void>) => void;
