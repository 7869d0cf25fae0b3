// A page: HTML that is safe by construction, the frame around its content, and how it is answered, with what browsers
// may do with it and how long they may keep it (ADR 0045).

import type { Item } from '../../records/data-sets';
import { digestContent } from '../../values/digest';
import { FEED } from '../../values/media-types';
import type { Outcome } from '../pipeline/outcome';
import { contentOutcome } from '../pipeline/routes';
import type { HttpRequest, PageCache, PageContent, Service } from '../pipeline/service';
import { getFileVersion, getPageAddresses, getPageFile, type PageAddresses } from './page-files';

export const SERVICE_TITLE = 'Water Data Query Service';

export class Html {
  constructor(readonly text: string) {}
}

export type HtmlPart = Html | string | number | readonly HtmlPart[];

/** A template whose parts are escaped, unless they are HTML themselves. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(escapePart)));
}

function escapePart(part: HtmlPart): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(escapePart).join('');
  return String(part).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** What people wrote, which may be anything: only a web address becomes a link. Null for null. */
export function linkAddress(text: string | null | undefined, relation = 'noopener'): Html | string | null {
  if (text == null) return null;
  const isAddress = /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
  return isAddress ? html`<a href="${text}" rel="${relation}">${text}</a>` : text;
}

/** A text of a record, or null where there is none. */
export function readText(item: Item, member: string): string | null {
  const value = item[member];
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

interface Page {
  /** The name of the service is put behind it. */
  readonly title: string;
  /** What the page is about in a sentence or two, for lists of what was found. */
  readonly description?: string | undefined;
  /** Stands before all files of the page. */
  readonly head?: Html | undefined;
  readonly content: Html;
  /** Names of page files. */
  readonly styles: readonly string[];
  readonly scripts?: readonly string[];
  /** Scripts that import others. */
  readonly modules?: readonly string[];
  /** Attributes of links: the address by which the page should be known, its other forms, files that it will load. */
  readonly links?: readonly (Readonly<Record<string, string>> & { readonly rel: string; readonly href: string })[];
}

/** `fileAddress` is of the page files, which are those of the service where it is left out. */
export function renderPage(
  { title, description, head, content, styles, scripts = [], modules = [], links = [] }: Page,
  service: Service,
  { base, fileAddress }: PageAddresses = getPageAddresses(service),
): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title === SERVICE_TITLE ? title : `${title} – ${SERVICE_TITLE}`}</title>
        ${description === undefined ? '' : html`<meta name="description" content="${description}" />`} ${head ?? ''}
        <link rel="alternate" type="${FEED.type}" title="${FEED.title}" href="${base}/${FEED.path}" />
        <link rel="icon" type="image/svg+xml" href="${fileAddress('icon.svg')}" />
        ${styles.map((name) => html`<link rel="stylesheet" href="${fileAddress(name)}" />`)}
        ${scripts.map((name) => html`<script src="${fileAddress(name)}" defer></script>`)}
        ${modules.map((name) => html`<script src="${fileAddress(name)}" type="module"></script>`)}
        ${links.map((link) => html`<link${Object.entries(link).map(([name, text]) => html` ${name}="${text}"`)} />`)}
      </head>
      <body>
        <a class="skip" href="#content">To the content</a>
        <header>
          <nav aria-label="Pages">
            <a class="name" href="${base}/"
              ><img src="${fileAddress('icon.svg')}" alt="" width="24" height="24" /> Water data</a
            >
            <a href="${base}/explore">Explore</a> <a href="${base}/downloads">Downloads</a>
            <a href="${base}/docs/data">About the data</a> <a href="${base}/submit">Submit</a>
            <a href="${base}/docs">Documentation</a>
            <a href="${base}/openapi.json">OpenAPI</a>
          </nav>
        </header>
        <main id="content">${content}</main>
      </body>
    </html> `;
}

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
