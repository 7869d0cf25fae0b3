// The page at /submit, for whoever prepares a state's data (D66): how a submission goes in at this service, and what to
// begin with. `npm run templates` writes the same files into a folder.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectDirectory } from '../../project-files';
import type { Outcome } from '../pipeline/outcome';
import type { Route } from '../pipeline/pipeline';
import type { HttpRequest, Service } from '../pipeline/service';
import { type Html, html, linkAddress } from './html';
import { renderPage } from './page';
import { answerFile, answerPage, createContent } from './page-answers';
import { getPageAddresses, GUIDE_FILE } from './page-files';
import { head, hero, namedCell, row, section, table } from './page-parts';
// Made by `npm run documents` from the loader's declarations, which this side does not know.
import madeTemplates from './templates.json';

interface Template {
  readonly name: string;
  /** Ends the sentence that begins with "A row is". */
  readonly rowIs: string;
  readonly neededBy: string;
  /** The header alone. */
  readonly empty: string;
  /** The same with rows of a small agency that does not exist. */
  readonly example: string;
}

export interface Templates {
  readonly files: readonly Template[];
  /** What submission.json of the example says. */
  readonly exampleMetadata: string;
}

const { files, exampleMetadata }: Templates = madeTemplates;

/** The files that are handed out, by path: the guide, empty files, and the example. */
export function listTemplateFiles(): ReadonlyMap<string, string> {
  // The marks of the parts that are made are for whoever changes the guide.
  const guide = readFileSync(join(findProjectDirectory(), GUIDE_FILE), 'utf8').replaceAll(/<!--.*?-->\n*/g, '');
  return new Map([
    ['guide.md', guide],
    ...files.map(({ name, empty }) => [`empty/${name}`, empty] as const),
    ...files.map(({ name, example }) => [`example/${name}`, example] as const),
    ['example/submission.json', exampleMetadata],
  ]);
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
};

/** The page, and the files by their paths. */
export function findSubmit(path: string, { pages }: Service): Route['answer'] | undefined {
  if (path === '') return answerSubmitPage;
  const text = listTemplateFiles().get(path);
  const type = CONTENT_TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'text/plain; charset=utf-8';
  return text === undefined ? undefined : (request) => answerFile(request, createContent(text, type), pages);
}

function answerSubmitPage(request: HttpRequest, service: Service): Promise<Outcome> {
  const { base } = getPageAddresses(service);
  const introduction = html`<p>
      For whoever prepares a state's data. A submission is one folder of CSV files of one organization. Send every row
      each time: what you send takes the place of what you sent before.
    </p>
    <p class="actions"><a class="button" href="${base}/submit/guide.md">Read the guide</a></p>`;
  const way = html`${describeIntake(service.intake)}
    <p>
      Every row is checked. You get a report that says what was published, what has changed since last time, and which
      rows were left out, why, and how to mend them. A submission goes public in one step or not at all. One that is
      probably wrong, because half of the records are gone for example, is <strong>held</strong>: what was published
      before stays until somebody has looked at it and confirmed it.
    </p>`;
  const templates = html`<p>
      Take the empty files that you have data for and keep their names. The filled example is a whole submission of an
      agency that does not exist, with its
      <a href="${base}/submit/example/submission.json" download="submission.json">submission.json</a>; it loads without
      a remark.
    </p>
    ${templateTable(base)}`;
  const content = html`${hero('Submit data', introduction)} ${section('way', 'How a submission goes in here', way)}
  ${section('templates', 'Files to begin with', templates)}`;
  const styles = ['pages.css', 'landing.css', 'downloads.css'];
  const page = renderPage({ title: 'Submit data', content, styles }, service);
  return answerPage(request, createContent(page), service.pages);
}

/** Names no place: the operator's folder or address is nobody else's business, and may hold a credential. */
function describeIntake({ instructions, inbox }: Service['intake']): Html {
  if (instructions !== '') return html`<p>${linkAddress(instructions) ?? ''}</p>`;
  if (inbox === undefined) {
    return html`<p>Send the folder to the operator of this service, who loads it and sends the report back to you.</p>`;
  }
  const inboxName = inbox === 'folder' ? 'a shared folder' : 'a storage container';
  return html`<p>
    This service has an inbox, ${inboxName} that its operator gives you access to. Copy your files into a new folder
    there, and put <code>submission.json</code> or an empty file <code>READY</code> in last: a submission waits until
    one of them is there. Minutes later your folder has moved to <code>accepted</code>, <code>refused</code> or
    <code>held</code>, with its report in it.
  </p>`;
}

function templateTable(base: string): Html {
  const rows = files.map(({ name, rowIs, neededBy }) =>
    row(html`<code>${name}</code><span class="small">A row is ${rowIs}</span>`, [
      html`<td class="text" data-kind="Needed by">${neededBy}</td>`,
      namedCell('Empty', fileLink(base, `empty/${name}`, `${name}, empty`)),
      namedCell('Filled example', fileLink(base, `example/${name}`, `${name}, filled example`)),
    ]),
  );
  return table([head('File'), head('Needed by', 'text'), head('Empty'), head('Filled example')], rows);
}

/** The file is saved under the name that a submission needs; `label` tells a screen reader which one it is. */
function fileLink(base: string, path: string, label: string): Html {
  const name = path.slice(path.indexOf('/') + 1);
  return html`<a href="${base}/submit/${path}" download="${name}" aria-label="Download ${label}">Download</a>`;
}
