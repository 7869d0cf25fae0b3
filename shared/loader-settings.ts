// Settings of the loaders: the location of the inbox, a folder or a container of Azure Blob Storage, and the schedule
// by which they run.

import { resolve } from 'node:path';
import { Cron, type CronOptions } from 'croner';
import type { ContainerLocation } from './store/blob-container';
import { failure, success, type Result } from './values/result';

export type InboxLocation = { readonly kind: 'folder'; readonly folder: string } | ContainerLocation;

/**
 * Day and weekday must both fit, as on the platform. An offset and not a time zone: looking up the zone takes a tenth
 * of a second of each start.
 */
export const SCHEDULE_OPTIONS = { mode: '6-part', utcOffset: 0, domAndDow: true } as const satisfies CronOptions;

/** croner knows more than the platform does: letters such as L, W and ?, and names such as @daily. */
const SIX_FIELDS = /^([\d*,/-]+\s+){4}[\da-z*,/-]+\s+[\da-z*,/-]+$/i;

/** Relative folders are relative to `baseDirectory`. The problem does not repeat the text: it may hold a credential. */
export function readInboxLocation(text: string, baseDirectory: string): Result<InboxLocation> {
  if (/(^|;)AccountName=|(^|;)BlobEndpoint=/i.test(text)) return readConnection(text);
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return success({ kind: 'folder', folder: resolve(baseDirectory, text) });
  const url = URL.parse(text);
  if (url === null || !isSafe(url)) {
    return failure('must be a folder or the https address of a blob container (http only on this machine)');
  }
  if (/^\/*$/.test(url.pathname)) return failure('must name a container behind the address of the account');
  return success({ kind: 'container', url: text });
}

/** Where the files of releases lie on Azure (D44). The problem does not repeat the text: it may hold a credential. */
export function readExportsContainer(text: string): Result<ContainerLocation | undefined> {
  if (text === '') return success(undefined);
  const read = readInboxLocation(text, '/');
  if (!read.ok) return read;
  if (read.value.kind === 'folder') return failure('must be the https address of a blob container');
  if (read.value.kind === 'container' && new URL(read.value.url).searchParams.size > 0) {
    // Addresses for clients are signed by an identity or a key; a signature cannot make another.
    return failure('must have no query: the identity of the process signs the addresses that clients get');
  }
  return success(read.value);
}

function readConnection(text: string): Result<ContainerLocation> {
  const parts = text.split(';').filter((part) => part !== '');
  const container = parts.find((part) => part.startsWith('Container='))?.slice('Container='.length);
  if (container === undefined || container === '') {
    return failure('must name the container behind a connection string, as ;Container=NAME');
  }
  const connectionString = parts.filter((part) => !part.startsWith('Container=')).join(';');
  return success({ kind: 'account', connectionString, container });
}

/** Credentials are sent over HTTPS alone, but for an emulator on this machine. */
function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** For a host as a URL or a setting has it: with or without brackets around an IPv6 address. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/.test(host);
}

/** Reads six fields, second minute hour day month weekday, in UTC, as the platform's timers do (NCRONTAB). */
export function readSchedule(text: string): Result<string> {
  try {
    if (SIX_FIELDS.test(text) && new Cron(text, { ...SCHEDULE_OPTIONS, paused: true }).nextRun() !== null) {
      return success(text);
    }
  } catch {
    // The failure below says what is wrong.
  }
  return failure('must be a schedule of six fields (second minute hour day month weekday) that comes round');
}
