// How pages and their files are answered: their security policy, and how long browsers may keep them (ADR 0045).

import { digestContent } from '../../values/digest';
import type { Outcome } from '../pipeline/outcome';
import { contentOutcome } from '../pipeline/routes';
import type { HttpRequest, PageCache, PageContent, Service } from '../pipeline/service';
import type { Html } from './html';
import { getFileVersion, getPageFile } from './page-files';

/** Our own pages need nothing but their own files, and nobody may frame them. */
const DEFAULT_POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

const FILE_POLICY = "default-src 'none'";

/** A script that runs as a worker goes by the policy of its own answer: it may ask this service, and nobody else. */
const WORKER_POLICY = `${FILE_POLICY}; script-src 'self'; connect-src 'self'`;

/** A year, the longest that is meant by "for ever" (RFC 9111 has no such word). */
const KEEP_FOREVER = 'public, max-age=31536000, immutable';
const REVALIDATE = 'public, no-cache';
const PAGE_TYPE = 'text/html; charset=utf-8';

export function createContent(text: string | Html, contentType = PAGE_TYPE): PageContent {
  const plain = typeof text === 'string' ? text : text.text;
  return { body: Buffer.from(plain), contentType, digest: digestContent(plain) };
}

export interface RenderedContent extends PageContent {
  /** Whether it stays as it is; true where it is left out. */
  readonly isLasting?: boolean;
}

/** From memory, or as it is made. `key` names all that it follows from. */
export async function getOrRender(
  key: string,
  pages: PageCache,
  render: () => Promise<RenderedContent>,
): Promise<PageContent> {
  const cached = pages.get(key);
  if (cached !== undefined) return cached;
  const { isLasting = true, ...content } = await render();
  if (isLasting) pages.set(key, content, content.body.length);
  return content;
}

/** `more` replaces parts of the content security policy where a page needs more than most. */
export function answerPage(
  request: HttpRequest,
  page: PageContent,
  pages: PageCache,
  overrides: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  return contentOutcome(request, page, { policy: formatPagePolicy(overrides), caching: REVALIDATE }, pages);
}

/** The content security policy of a page. */
export function formatPagePolicy(overrides: Readonly<Record<string, string>> = {}): string {
  const policy = Object.entries({ ...DEFAULT_POLICY, ...overrides }).map(([name, value]) => `${name} ${value}`);
  return policy.join('; ');
}

/** A file whose address names its content may be kept; any other is asked for again. */
export function answerFile(request: HttpRequest, file: PageContent, pages: PageCache): Promise<Outcome> {
  const hasVersion = new URL(request.url).searchParams.get('v') === getFileVersion(file);
  const caching = hasVersion ? KEEP_FOREVER : REVALIDATE;
  return contentOutcome(request, file, { policy: FILE_POLICY, caching }, pages);
}

/** A file whose name has the digest of its content in it. */
export function answerNamedFile(request: HttpRequest, file: PageContent, pages: PageCache): Promise<Outcome> {
  return contentOutcome(request, file, { policy: WORKER_POLICY, caching: KEEP_FOREVER }, pages);
}

export function answerIcon(request: HttpRequest, { pages }: Pick<Service, 'pages'>): Promise<Outcome> {
  return answerFile(request, getPageFile('icon.svg', pages), pages);
}
