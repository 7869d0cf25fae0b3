// The documents in docs/ that are made from declarations of the code.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportMember } from '../../data-loaders/format/report';
import { projectDirectory } from '../../shared/project-files';
import { answerExamples } from './examples';
import { openApiDocument } from './openapi-document';
import { parametersDocument } from './parameters';
import { submittingDocument } from './submitting';

export interface GeneratedDocument {
  readonly path: string;
  readonly text: string;
}

export async function generatedDocuments(): Promise<readonly GeneratedDocument[]> {
  const folder = join(projectDirectory(), 'docs');
  const submitting = join(folder, 'submitting.md');
  return [
    { path: join(folder, 'parameters.md'), text: parametersDocument() },
    { path: submitting, text: submittingDocument(readFileSync(submitting, 'utf8')) },
    { path: join(folder, 'report.schema.json'), text: jsonText(REPORT_SCHEMA) },
    { path: join(folder, 'openapi.json'), text: jsonText(openApiDocument(await answerExamples())) },
  ];
}

const REPORT_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Report of one run over a submission',
  ...reportMember.schema,
};

/** The documents whose file is missing or has another text. */
export function staleDocuments(
  documents: readonly GeneratedDocument[],
  read: (path: string) => string | undefined,
): readonly GeneratedDocument[] {
  return documents.filter(({ path, text }) => read(path) !== text);
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
