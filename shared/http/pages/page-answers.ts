// Answers with pages and their files, and sets security policies and cache lifetimes (ADR 0045).

import { ownBytes } from '../../values/bytes/own-bytes';
import { digestContent } from '../../values/digest';
import { contentOutcome } from '../pipeline/content-outcome';
import type { Outcome } from '../pipeline/outcome';
import type { HttpRequest, PageCache, PageContent, Service } from '../pipeline/service';
import type { Html } from './html';
import { getFileVersion, getPageFile } from './page-files';

/** Our pages need only our own files, and no other site may frame them. */
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

/** A worker has the policy of its own script: it may send requests only to this service. */
const WORKER_POLICY = `${FILE_POLICY}; script-src 'self'; connect-src 'self'`;

/** One year, the practical maximum; RFC 9111 has no "forever". */
const KEEP_FOREVER = 'public, max-age=31536000, immutable';
const REVALIDATE = 'public, no-cache';
const PAGE_TYPE = 'text/html; charset=utf-8';

export function createContent(text: string | Html, contentType = PAGE_TYPE): PageContent {
  const plain = typeof text === 'string' ? text : text.text;
  return { body: ownBytes(plain), contentType, digest: digestContent(plain) };
}

export interface RenderedContent extends PageContent {
  /** Whether the content may be cached. Defaults to true. */
  readonly isLasting?: boolean;
}

/** Returns the cached content, or renders it. `key` must cover everything that the content depends on. */
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

/** `overrides` replaces directives of the content security policy, for pages that need more than most. */
export function answerPage(
  request: HttpRequest,
  page: PageContent,
  pages: PageCache,
  overrides: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  return contentOutcome(request, page, { policy: formatPagePolicy(overrides), caching: REVALIDATE }, pages);
}

/** Formats the content security policy of a page. */
export function formatPagePolicy(overrides: Readonly<Record<string, string>> = {}): string {
  const policy = Object.entries({ ...DEFAULT_POLICY, ...overrides }).map(([name, value]) => `${name} ${value}`);
  return policy.join('; ');
}

/** A file with its version in the URL may be cached forever. Any other file must be revalidated. */
export function answerFile(request: HttpRequest, file: PageContent, pages: PageCache): Promise<Outcome> {
  const hasVersion = new URL(request.url).searchParams.get('v') === getFileVersion(file);
  const caching = hasVersion ? KEEP_FOREVER : REVALIDATE;
  return contentOutcome(request, file, { policy: FILE_POLICY, caching }, pages);
}

/** Answers with a file whose name contains the digest of its content. */
export function answerNamedFile(request: HttpRequest, file: PageContent, pages: PageCache): Promise<Outcome> {
  return contentOutcome(request, file, { policy: WORKER_POLICY, caching: KEEP_FOREVER }, pages);
}

export function answerIcon(request: HttpRequest, { pages }: Pick<Service, 'pages'>): Promise<Outcome> {
  return answerFile(request, getPageFile('icon.svg', pages), pages);
}
