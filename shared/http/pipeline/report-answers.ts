// The formats of a submission's report: JSON (docs/report.schema.json), an HTML page, or text.

import { readPreferences } from './negotiation';
import type { HeaderFields, Outcome } from './outcome';
import { REPORT_FORMATS, type ReportFormat } from './submission-ports';

export const REPORT_TYPES: Readonly<Record<ReportFormat, string>> = {
  json: 'application/json',
  html: 'text/html',
  text: 'text/plain',
};

/** The page contains its own style and loads nothing. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** Returns JSON if the client accepts anything; undefined if it accepts none of the formats. */
export function negotiateReportFormat(accept: string | null): ReportFormat | undefined {
  const preferences = readPreferences(accept ?? '');
  if (preferences.length === 0) return 'json';
  const weights = REPORT_FORMATS.map((format) => ({ format, weight: getWeight(REPORT_TYPES[format], preferences) }));
  const best = weights.reduce((one, other) => (other.weight > one.weight ? other : one));
  return best.weight > 0 ? best.format : undefined;
}

/** The most specific range decides. */
function getWeight(type: string, preferences: ReturnType<typeof readPreferences>): number {
  const ranges = [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*'];
  for (const range of ranges) {
    const match = preferences.find(({ name }) => name === range);
    if (match !== undefined) return match.weight;
  }
  return 0;
}

export function sendReport(body: Buffer, format: ReportFormat): Outcome {
  const policy: HeaderFields = format === 'html' ? { 'Content-Security-Policy': PAGE_POLICY } : {};
  const contentType = format === 'json' ? REPORT_TYPES.json : `${REPORT_TYPES[format]}; charset=utf-8`;
  return { kind: 'answer', body, contentType, headers: { 'Cache-Control': 'no-store', Vary: 'Accept', ...policy } };
}
