/** The `test` of jest, or of a command that runs the checks one after the other. */
export type DeclareCheck = (name: string, run: () => Promise<void>) => void;
