// The report of a publish that is about to happen, kept in a blob inbox beside the submission: whoever takes over after a kill
// delivers it. Only who holds the submission's claim may call these functions.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { deleteFile, listFiles, readText, uploadFolder, writeText } from './blob-files';
import { WORKING, type Claim, type KeptRecord } from './inbox';
import type { ContainerClient } from './open-container';

export async function keepReport(
  container: ContainerClient,
  name: string,
  kept: KeptRecord,
  reportFolder: string,
): Promise<void> {
  await forgetReport(container, name);
  await uploadFolder(container, reportFolder, filesPrefix(name));
  await writeText(container, keptPath(name), JSON.stringify(kept));
}

export async function fetchKeptReport(
  container: ContainerClient,
  name: string,
  content: string,
  workFolder: string,
): ReturnType<Claim['keptReport']> {
  const text = await readText(container, keptPath(name));
  const kept = text === undefined ? undefined : (JSON.parse(text) as KeptRecord); // Written by keepReport.
  if (kept?.content !== content) return undefined;
  const folder = join(workFolder, 'kept');
  mkdirSync(folder, { recursive: true });
  for (const { path } of await listFiles(container, filesPrefix(name))) {
    await container.getBlobClient(`${filesPrefix(name)}${path}`).downloadToFile(join(folder, path));
  }
  return { report: kept.report, folder };
}

/** What says that the files are whole goes first. */
export async function forgetReport(container: ContainerClient, name: string): Promise<void> {
  await deleteFile(container, keptPath(name));
  for (const { path } of await listFiles(container, filesPrefix(name))) {
    await deleteFile(container, `${filesPrefix(name)}${path}`);
  }
}

function keptPath(name: string): string {
  return `${WORKING}/${name}/kept.json`;
}

function filesPrefix(name: string): string {
  return `${WORKING}/${name}/kept/`;
}
