// GET /openapi.json: the committed document, with the address of this service (ADR 0008) and where its keys come from.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectDirectory } from '../../project-files';
import { describeKeySource, KEYS_FROM_OPERATOR } from '../pipeline/authorize';
import type { Outcome } from '../pipeline/outcome';
import type { HttpRequest, Service } from '../pipeline/service';
import { answerFile, createContent } from './page-answers';
import { OPENAPI_FILE } from './page-files';

export function answerOpenApi(request: HttpRequest, service: Service): Promise<Outcome> {
  const { publicUrl, pages, contact } = service;
  const text = readFileSync(join(findProjectDirectory(), OPENAPI_FILE), 'utf8');
  const committed = JSON.parse(text) as { readonly info: { readonly description: string } }; // Our own document.
  const { info } = committed;
  const contactAddress = /^https?:/i.test(contact) ? { url: contact } : { email: contact };
  const source = describeKeySource(service);
  const description = `${info.description}${source === KEYS_FROM_OPERATOR ? '' : `\n\n**Where keys come from.** ${source}`}`;
  const contactMember = contact === '' ? {} : { contact: { name: 'Access keys', ...contactAddress } };
  const servers = publicUrl === '' ? {} : { servers: [{ url: publicUrl }] };
  const document = { ...committed, info: { ...info, description, ...contactMember }, ...servers };
  return answerFile(request, createContent(JSON.stringify(document), 'application/json'), pages);
}
