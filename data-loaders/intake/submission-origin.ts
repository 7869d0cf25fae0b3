// The origin of an inbox entry that was sent over HTTP (D76). The service writes it, so that a sender cannot forge it.

import type { SubmittedFiles } from '../format/submitted-files';

/** The name of the marker file that contains the origin. It is written last. */
export const ORIGIN_FILE = 'READY.json';

/**
 * The folder for the submitted files. Markers in this folder do not count, because files may be copied into it one by
 * one.
 */
export const SENT_FOLDER = 'sent-over-http';

export interface SubmissionOrigin {
  /** The key's organization (OrganizationUUID). The amounts must belong to it. */
  readonly organization: string;
  /** The key's id. */
  readonly keyId: string;
  /** ISO 8601, UTC. */
  readonly received: string;
  /** The confirmation code, if the submission was held and then confirmed. */
  readonly confirm?: string;
}

const ID = /^\d{8}T\d{9}Z-[0-9a-f]{8}$/;

/** Ids sort by time of receipt. */
export function createSubmissionId(received: string, random: Uint8Array): string {
  return `${received.replaceAll(/[-:.]/g, '')}-${Buffer.from(random).toString('hex').slice(0, 8)}`;
}

export function isSubmissionId(name: string): boolean {
  return ID.test(name);
}

export function formatOrigin({ organization, keyId, received, confirm }: SubmissionOrigin): string {
  const members = { Organization: organization, Key: keyId, Received: received };
  return JSON.stringify(confirm === undefined ? members : { ...members, Confirm: confirm }, null, 2);
}

/** Undefined for a marker that the service did not write. */
export function parseOrigin(text: string): SubmissionOrigin | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const members = new Map<string, unknown>(Object.entries(value));
  const [organization, keyId, received] = ['Organization', 'Key', 'Received'].map((name) => members.get(name));
  const confirm = members.get('Confirm');
  if (typeof organization !== 'string' || typeof keyId !== 'string' || typeof received !== 'string') return undefined;
  return { organization, keyId, received, ...(typeof confirm === 'string' && { confirm }) };
}

/** The submitted files. */
export function selectSentFiles(files: SubmittedFiles): SubmittedFiles {
  return {
    name: files.name,
    names: (folder) => files.names(folder === undefined ? SENT_FOLDER : `${SENT_FOLDER}/${folder}`),
    file: (name) => {
      const file = files.file(`${SENT_FOLDER}/${name}`);
      return file && { ...file, name };
    },
  };
}
