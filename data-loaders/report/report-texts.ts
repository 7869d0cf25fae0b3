// Converts the report of a load to the contents of its files.

import { writeHtmlPage } from '../../shared/documents/write-html';
import { writeMarkdown } from '../../shared/documents/write-markdown';
import type { Report } from '../format/report';
import { buildReportDocument } from './report-document';

export function reportMarkdown(report: Report): string {
  return writeMarkdown(buildReportDocument(report));
}

/**
 * The report as an HTML page, with the same wording. `styles` is the text of its style sheets (`readDocumentStyles`).
 */
export function reportHtml(report: Report, styles: string): string {
  return writeHtmlPage(buildReportDocument(report), 'Report on a submission', styles);
}
