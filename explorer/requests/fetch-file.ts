// Fetches the explorer's own data files.

/** A file that the build wrote (tools/build/explorer-files.mjs), which needs no key; the caller names what is in it. */
export async function fetchFile<Content>(address: string): Promise<Content> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return (await response.json()) as Content;
}
