// Fetches the explorer's own data files.

/**
 * Fetches a file that the build wrote (tools/build/explorer-files.mjs). It needs no key. The caller declares the type
 * of its content.
 */
export async function fetchFile<Content>(address: string): Promise<Content> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return (await response.json()) as Content;
}
