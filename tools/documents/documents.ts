// The documents that are made from declarations of the code, each with its text.

import { join } from 'node:path';
import { reportSchema } from '../../data-loaders/report/report-schema';
import { projectDirectory } from '../../shared/project-files';
import { submittingDocument } from './submitting';

export interface GeneratedDocument {
  readonly path: string;
  readonly text: string;
}

function generatedDocuments(): readonly GeneratedDocument[] {
  const folder = join(projectDirectory(), 'docs');
  return [
    { path: join(folder, 'submitting.md'), text: submittingDocument() },
    { path: join(folder, 'report.schema.json'), text: `${JSON.stringify(reportSchema, null, 2)}\n` },
  ];
}

/** Those whose file is missing or other than its text, by path. */
export function staleDocuments(read: (path: string) => string | undefined): readonly GeneratedDocument[] {
  return generatedDocuments().filter(({ path, text }) => read(path) !== text);
}
