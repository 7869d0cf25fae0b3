// GET /openapi.json: the committed document, with the parts that differ between services filled in: the address (ADR
// 0008), the contact, where to get keys, whether people can create keys themselves (D56), and examples of existing data
// versions.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectDirectory } from '../../project-files';
import { describeKeySource, KEYS_FROM_OPERATOR } from '../pipeline/authorize';
import type { Outcome } from '../pipeline/outcome';
import type { HttpRequest, Service } from '../pipeline/service';
import { answerFile, createContent } from './page-answers';
import { OPENAPI_FILE } from './page-files';

/** The members of the committed document that this module changes. */
interface CommittedDocument {
  readonly info: { readonly description: string; readonly contact: object };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, { readonly get?: CommittedOperation; readonly post?: CommittedOperation }>>;
  readonly components: { readonly parameters: Readonly<Record<string, { readonly example: string }>> };
}

interface CommittedOperation {
  readonly tags: readonly string[];
  readonly parameters: readonly { readonly name?: string; readonly example: string }[];
}

export async function answerOpenApi(request: HttpRequest, service: Service): Promise<Outcome> {
  const { publicUrl, pages } = service;
  const text = readFileSync(join(findProjectDirectory(), OPENAPI_FILE), 'utf8');
  const committed = JSON.parse(await replaceExampleVersions(text, service)) as CommittedDocument;
  const document = {
    ...omitOperations(committed, (path) => isOff(path, service)),
    info: describeService(committed.info, service),
    ...(publicUrl === '' ? {} : { servers: [{ url: publicUrl }] }),
  };
  return answerFile(request, createContent(JSON.stringify(document), 'application/json'), pages);
}

function describeService(info: CommittedDocument['info'], service: Service): CommittedDocument['info'] {
  const { contact } = service;
  const source = describeKeySource(service);
  const description = `${info.description}${source === KEYS_FROM_OPERATOR ? '' : `\n\n**Where keys come from.** ${source}`}`;
  const contactAddress = /^https?:/i.test(contact) ? { url: contact } : { email: contact };
  return { ...info, description, ...(contact !== '' && { contact: { name: 'Access keys', ...contactAddress } }) };
}

const KEYS_PATH = '/v1/Keys/';
const SUBMISSIONS_PATH = '/v1/Submissions';
const CHECKS_PATH = `${SUBMISSIONS_PATH}/Checks`;

/** Whether the settings turn off the operations at a path (D56, D76). */
function isOff(path: string, { selfService, submissions }: Pick<Service, 'selfService' | 'submissions'>): boolean {
  if (path.startsWith(KEYS_PATH)) return selfService === undefined;
  if (!path.startsWith(SUBMISSIONS_PATH)) return false;
  const mode = submissions?.submissionsHttp ?? 'off';
  return mode === 'off' || (mode === 'check' && path !== CHECKS_PATH);
}

/** Omits operations, and the tags that no remaining operation has. */
function omitOperations(document: CommittedDocument, isOmitted: (path: string) => boolean): CommittedDocument {
  const paths = Object.entries(document.paths).filter(([path]) => !isOmitted(path));
  const used = paths.flatMap(([, { get, post }]) => [...(get?.tags ?? []), ...(post?.tags ?? [])]);
  const tags = document.tags.filter(({ name }) => used.includes(name));
  return { ...document, tags, paths: Object.fromEntries(paths) };
}

const FILE_PATH = '/v1/Downloads/{Release}/{Name}';

/**
 * In the committed document, the examples of DataVersion, ChangedSince and Since are the version that contains only the
 * samples, and the example of a file is from one of its releases. A service with other data would answer 410 to these
 * examples, so they are replaced with its own version and release.
 */
async function replaceExampleVersions(text: string, { store, logError }: Service): Promise<string> {
  const { components, paths } = JSON.parse(text) as CommittedDocument;
  const version = components.parameters['DataVersion']?.example ?? '';
  const release = paths[FILE_PATH]?.get?.parameters.find(({ name }) => name === 'Release')?.example ?? '';
  try {
    const state = await store.currentState();
    const [entry = { releaseId: release }] = state.entries;
    return text.replaceAll(version, state.version).replaceAll(release, entry.releaseId);
  } catch (error) {
    logError('the document of the operations names no current data version', error);
    return text;
  }
}
