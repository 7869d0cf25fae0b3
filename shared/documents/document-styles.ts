// The style sheets of documents: the frame and the colors of the service's pages, and headings, lists and tables.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectDirectory } from '../project-files';

/** File names under /docs/. */
export const DOCUMENT_STYLES = ['pages.css', 'document.css'] as const;

/** Returns the content of the style sheets, for a page that must work as a standalone file. */
export function readDocumentStyles(): string {
  const folder = join(findProjectDirectory(), 'shared', 'http', 'pages', 'files');
  return DOCUMENT_STYLES.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}
