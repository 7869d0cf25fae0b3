// GET /openapi.json: the kept document with the service's own address (ADR 0030).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AskedRequest } from '../http-function';
import type { Outcome } from '../respond';
import type { Service } from '../service';
import { projectDirectory } from '../../project-files';
import { digestNameOf } from '../../values/digest';
import { OPENAPI_FILE } from './page-files';
import { fileOutcome } from './page-outcome';

export function openApi(request: AskedRequest, { publicUrl }: Service): Promise<Outcome> {
  const kept = JSON.parse(readFileSync(join(projectDirectory(), OPENAPI_FILE), 'utf8')) as object;
  const document = publicUrl === '' ? kept : { ...kept, servers: [{ url: publicUrl }] };
  const text = JSON.stringify(document);
  return fileOutcome(request, { body: Buffer.from(text), contentType: 'application/json', digest: digestNameOf(text) });
}
