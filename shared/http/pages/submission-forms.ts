// The part of the page at /submit on which people check and send submissions (D76). Its program, submit.mjs, calls the
// operations of shared/http/v1/submissions.ts.

import { writeTable } from '../../documents/write-html';
import type { SubmissionPorts } from '../pipeline/submission-ports';
import { type Html, html } from './html';
import { head } from './page-parts';

const MEGABYTE = 1024 * 1024;

/** Each part is hidden until the program has content for it. */
export function submissionForms(
  { submissionsHttp, checkBytes, submitBytes }: SubmissionPorts,
  base: string,
  keySource: Html,
): Html {
  const maySend = submissionsHttp === 'submit';
  return html`<noscript
      ><p class="notice">
        This part of the page needs JavaScript. <a href="${base}/docs">The API</a> does the same.
      </p></noscript
    >
    <section
      id="check"
      aria-labelledby="check-title"
      data-base="${base}"
      data-check-mb="${Math.floor(checkBytes / MEGABYTE)}"
      data-submit-mb="${maySend ? Math.floor(submitBytes / MEGABYTE) : 0}"
    >
      <h2 id="check-title">${maySend ? 'Check and send your files' : 'Check your files'}</h2>
      <p>
        Choose the files of your submission: the CSV files, their folder, a ZIP file, or an Excel workbook with a sheet
        for each file. A check stores nothing and changes nothing.
      </p>
      <form>
        <label
          >Your access key
          <input name="key" type="password" required spellcheck="false" autocapitalize="off" autocomplete="off" />
        </label>
        <p class="small">${keySource}</p>
        <div class="drop">
          <p>Drop a folder or files here, or choose them:</p>
          <p class="choices">
            <label>Files <input name="files" type="file" multiple accept=".csv,.json,.zip,.xlsx,.xlsm" /></label>
            <label>A folder <input name="folder" type="file" webkitdirectory /></label>
          </p>
        </div>
        <p class="chosen" role="status"></p>
        <p class="actions">
          <button class="button">Check</button>
          ${maySend ? html`<button type="button" class="button plain" name="send" disabled>Send</button>` : ''}
        </p>
      </form>
    </section>
    ${REPORT_SECTION} ${maySend ? sentSection() : ''}`;
}

const REPORT_SECTION = html`<section id="report" aria-labelledby="report-title" hidden>
  <h2 id="report-title" tabindex="-1">Report</h2>
  <p class="actions unprinted">
    <button type="button" class="button plain" name="print">Print</button>
    <a class="button plain" download="report.html">Save as a file</a>
  </p>
  <div class="document"></div>
</section>`;

function sentSection(): Html {
  const columns = [head('Received'), head('Status', 'text'), head('Outcome', 'text'), head('What you can do', 'text')];
  return html`<section id="sent" aria-labelledby="sent-title">
    <h2 id="sent-title" tabindex="-1">Your submissions</h2>
    <p class="state" role="status">If your key may send submissions, their status appears here.</p>
    <div class="scrolled" tabindex="0" role="group" aria-label="Your submissions" hidden>
      ${writeTable(columns, [])}
    </div>
    <p class="actions"><button type="button" class="button plain" name="refresh">Show my submissions</button></p>
  </section>`;
}
