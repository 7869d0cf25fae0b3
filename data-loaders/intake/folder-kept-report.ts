// The report of a publish that is about to happen, kept in a folder inbox beside the submission: whoever takes over after a kill
// delivers it. Only who holds the submission's claim may call these functions.

import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKING, type KeptRecord } from './inbox';

/** What is said of the kept files; there only while they are whole. */
const KEPT = 'kept.json';
const FILES = 'kept';

export function keepReport(root: string, name: string, kept: KeptRecord, reportFolder: string): void {
  forgetReport(root, name);
  const folder = join(root, WORKING, name);
  cpSync(reportFolder, join(folder, FILES), { recursive: true });
  const draft = join(folder, `${KEPT}.draft`);
  writeFileSync(draft, JSON.stringify(kept), { flush: true });
  renameSync(draft, join(folder, KEPT));
}

export function readKeptReport(root: string, name: string): (KeptRecord & { readonly folder: string }) | undefined {
  const folder = join(root, WORKING, name);
  const path = join(folder, KEPT);
  if (!existsSync(path)) return undefined;
  const kept = JSON.parse(readFileSync(path, 'utf8')) as KeptRecord; // Written by keepReport.
  return { ...kept, folder: join(folder, FILES) };
}

export function forgetReport(root: string, name: string): void {
  const folder = join(root, WORKING, name);
  rmSync(join(folder, KEPT), { force: true });
  rmSync(join(folder, FILES), { recursive: true, force: true });
}
