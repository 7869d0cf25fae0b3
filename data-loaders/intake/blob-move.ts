// Moves a submission of a blob inbox together with its report, so that a kill at any point leaves a move that can be ended. A
// container renames nothing, so the decision names each file and its version, and is deleted last:
//   1. the report's files are put beside the submission, then the decision: from here on the move is to be ended;
//   2. a name that nothing settled has is reserved in `accepted/` or `refused/`, and the decision names it;
//   3. every file is copied there, and only then the originals are deleted, in the version that was copied.
// Only who holds the submission's claim may call these functions.

import { randomUUID } from 'node:crypto';
import { isStatus } from './blob-errors';
import { copyFile, deleteFile, listFiles, readText, uploadFolder, writeText, type BlobFile } from './blob-files';
import { forgetReport } from './blob-kept-report';
import { keptPath, targetNames, WAITING, WORKING, type SettledAs } from './inbox';
import type { ContainerClient } from './open-container';

interface Decision {
  readonly id: string;
  readonly as: SettledAs;
  readonly files: readonly Pick<BlobFile, 'path' | 'etag'>[];
  /** Undefined until it is reserved. */
  readonly target?: string;
}

const RESERVATION = '.settling';

export async function decideMove(
  container: ContainerClient,
  name: string,
  as: SettledAs,
  files: readonly BlobFile[],
  reportFolder: string,
): Promise<void> {
  for (const { path } of await listFiles(container, reportPrefix(name))) {
    await deleteFile(container, `${reportPrefix(name)}${path}`);
  }
  await uploadFolder(container, reportFolder, reportPrefix(name));
  const named = files.map(({ path, etag }) => ({ path, etag }));
  await writeDecision(container, name, { id: randomUUID(), as, files: named });
}

/** Does nothing when no move was decided. */
export async function finishMove(container: ContainerClient, name: string): Promise<void> {
  const decision = await readDecision(container, name);
  if (decision === undefined) return;
  const { as, files } = decision;
  const target = decision.target ?? (await reserve(container, name, decision));
  if (decision.target === undefined) await writeDecision(container, name, { ...decision, target });
  const to = `${as}/${target}/`;
  const reports = await listFiles(container, reportPrefix(name));
  await copyAll(container, name, to, files, reports);
  for (const { path, etag } of files) await deleteFile(container, `${WAITING}/${name}/${path}`, etag);
  await deleteFile(container, `${to}${RESERVATION}`);
  await forgetReport(container, name);
  // The decision goes before the report, which a later move would otherwise miss.
  await deleteFile(container, decisionPath(name));
  for (const { path } of reports) await deleteFile(container, `${reportPrefix(name)}${path}`);
}

/** What is not there any more in its version was copied before the kill. */
async function copyAll(
  container: ContainerClient,
  name: string,
  to: string,
  files: Decision['files'],
  reports: readonly BlobFile[],
): Promise<void> {
  const submitted = new Set(files.map(({ path }) => path.split('/', 1)[0] ?? ''));
  const reported = new Set(reports.map(({ path }) => path));
  for (const { path, etag } of files) {
    await copyFile(container, `${WAITING}/${name}/${path}`, `${to}${keptPath(path, submitted, reported)}`, etag);
  }
  for (const { path } of reports) await copyFile(container, `${reportPrefix(name)}${path}`, `${to}${path}`, undefined);
}

/** A name is reserved by a blob of this decision under it, alone there. */
async function reserve(container: ContainerClient, name: string, { id, as }: Decision): Promise<string> {
  for (const target of targetNames(name)) {
    const prefix = `${as}/${target}/`;
    const reservation = container.getBlockBlobClient(`${prefix}${RESERVATION}`);
    const isOurs = await reservation.upload(id, id.length, { conditions: { ifNoneMatch: '*' } }).then(
      () => true,
      async (error: unknown) => {
        if (!isStatus(error, 409, 412)) throw error;
        return (await readText(container, reservation.name)) === id;
      },
    );
    if (!isOurs) continue;
    const others = (await listFiles(container, prefix)).filter(({ path }) => path !== RESERVATION);
    if (others.length === 0) return target;
    await deleteFile(container, reservation.name);
  }
  throw new Error('there is always a free name');
}

async function readDecision(container: ContainerClient, name: string): Promise<Decision | undefined> {
  const text = await readText(container, decisionPath(name));
  return text === undefined ? undefined : (JSON.parse(text) as Decision); // Written by writeDecision.
}

async function writeDecision(container: ContainerClient, name: string, decision: Decision): Promise<void> {
  await writeText(container, decisionPath(name), JSON.stringify(decision));
}

export function decisionPath(name: string): string {
  return `${WORKING}/${name}/decision.json`;
}

function reportPrefix(name: string): string {
  return `${WORKING}/${name}/report/`;
}
