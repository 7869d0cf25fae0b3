// An inbox in a container of Azure Blob Storage, of the same shape as the folder's: waiting/NAME/..., accepted/, refused/, and
// .working/ for claims and moves. A submission is fetched into a local folder, file by file as a stream.

import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { failure, success, type Result } from '../../shared/values/result';
import { BlobClaims } from './blob-claims';
import { filesBelow, listFiles, type BlobFile } from './blob-files';
import { fetchKeptReport, keepReport } from './blob-kept-report';
import { decideMove, decisionPath, finishMove } from './blob-move';
import { takeClaim, type Attempts, type Clock, type HeldClaim } from './claims';
import {
  MARKER_FILES,
  WAITING,
  WORKING,
  type Claim,
  type Inbox,
  type KeptReport,
  type SettledAs,
  type SettleOutcome,
} from './inbox';
import { openContainer, type BlobLocation, type ContainerClient } from './open-container';

export async function openBlobInbox(location: BlobLocation, clock: Clock): Promise<Inbox> {
  return new BlobInbox(await openContainer(location), clock);
}

class BlobInbox implements Inbox {
  private readonly claims: BlobClaims;

  constructor(
    private readonly container: ContainerClient,
    private readonly clock: Clock,
  ) {
    this.claims = new BlobClaims(container);
  }

  async waiting(): Promise<readonly string[]> {
    const since = new Map<string, number>();
    for await (const { path, modifiedAt } of filesBelow(this.container, `${WAITING}/`)) {
      const [name = '', file = '', ...deeper] = path.split('/');
      if (name.startsWith('.') || deeper.length > 0 || !MARKER_FILES.includes(file)) continue;
      since.set(name, Math.min(since.get(name) ?? modifiedAt, modifiedAt));
    }
    const complete = [...since].sort(([a, first], [b, second]) => first - second || (a < b ? -1 : 1));
    return complete.map(([name]) => name);
  }

  async claim(name: string): Promise<Claim | undefined> {
    const held = await takeClaim(this.claims, name, this.clock);
    if (held === undefined) return undefined;
    let files: readonly BlobFile[];
    try {
      await finishMove(this.container, name);
      files = await listFiles(this.container, `${WAITING}/${name}/`);
    } catch (error) {
      await held.release('fault');
      throw error;
    }
    if (files.some(({ path }) => MARKER_FILES.includes(path))) return new BlobClaim(this.container, name, held, files);
    await held.end();
    return undefined;
  }

  async finishMoves(): Promise<void> {
    for await (const { path } of filesBelow(this.container, `${WORKING}/`)) {
      const [name = ''] = path.split('/', 1);
      if (`${WORKING}/${path}` === decisionPath(name)) await (await this.claim(name))?.release('stop');
    }
  }
}

class BlobClaim implements Claim {
  readonly content: string;

  constructor(
    private readonly container: ContainerClient,
    readonly name: string,
    private readonly held: HeldClaim,
    private readonly files: readonly BlobFile[],
  ) {
    this.content = describe(files);
  }

  get attempts(): Attempts {
    return this.held.attempts;
  }

  renew(): Promise<boolean> {
    return this.held.renew();
  }

  async fetch(workFolder: string): Promise<Result<string>> {
    const folder = join(workFolder, 'submission');
    mkdirSync(folder, { recursive: true });
    const unsafe = this.files.find(({ path }) => !staysInside(path));
    if (unsafe !== undefined) return failure(`the name ${JSON.stringify(unsafe.path)} leads out of its folder`);
    for (const { path, etag } of this.files) {
      const target = join(folder, path);
      if (existsSync(target)) continue;
      mkdirSync(dirname(target), { recursive: true });
      const blob = this.container.getBlobClient(`${WAITING}/${this.name}/${path}`);
      // Beside the folder: no file of the submission can have this path.
      const draft = join(workFolder, 'submission.draft');
      await blob.downloadToFile(draft, 0, undefined, { conditions: { ifMatch: etag } });
      renameSync(draft, target);
    }
    return success(folder);
  }

  async settle(as: SettledAs, reportFolder: string): Promise<SettleOutcome> {
    if (!(await this.held.renew())) return 'lost';
    const isChanged = this.content !== describe(await listFiles(this.container, `${WAITING}/${this.name}/`));
    if (!isChanged) {
      await decideMove(this.container, this.name, as, this.files, reportFolder);
      await finishMove(this.container, this.name);
    }
    await this.held.end();
    return isChanged ? 'changed' : 'settled';
  }

  async keepReport(report: KeptReport, reportFolder: string): Promise<boolean> {
    if (!(await this.held.renew())) return false;
    await keepReport(this.container, this.name, { report, content: this.content }, reportFolder);
    return true;
  }

  keptReport(workFolder: string): ReturnType<Claim['keptReport']> {
    return fetchKeptReport(this.container, this.name, this.content, workFolder);
  }

  release(because: 'stop' | 'fault'): Promise<void> {
    return this.held.release(because);
  }
}

function staysInside(path: string): boolean {
  return path.split('/').every((part) => !['', '.', '..'].includes(part)) && !/[\\\0]/.test(path);
}

function describe(files: readonly BlobFile[]): string {
  return JSON.stringify(files.map(({ path, etag }) => [path, etag]));
}
