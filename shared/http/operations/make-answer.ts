// The body of an answer: found among those that were sent before, or planned, bounded before it is made (ADR 0054),
// written and compressed.

import { answerWriters } from '../../render/answer-writers';
import { planTotals, writeFacets, writeTotals } from '../../render/write-totals';
import type { Operation } from '../../query/operations';
import type { CatalogState } from '../../store/catalog-types';
import { countFacets } from '../../aggregate/facets';
import type { CachedAnswer } from '../memory/answer-cache';
import type { Reservation } from '../outcome/bytes-in-flight';
import { encodeBody, type ContentCoding } from '../outcome/negotiation';
import type { HeaderFields } from '../outcome/outcome';
import { planAnswer, type ReleasesQuery } from './planned-answer';
import { queryHint } from './query-hint';
import type { Service } from '../service';

/** A query over one catalog state. */
export interface OpenedQuery extends ReleasesQuery {
  readonly coding: ContentCoding | undefined;
  /** Its body is not sent, so that its length is enough. */
  readonly isHead: boolean;
  readonly state: CatalogState;
  /** Stands for the answer's bytes. */
  readonly digest: string;
}

/** Its headers are only those that do not follow from the query. For HEAD, a length may stand for the body. */
interface MadeAnswer extends Omit<CachedAnswer, 'body'> {
  readonly kind: 'made';
  readonly body: Buffer | number;
  /** What it took while it was made, for whoever sends it to release. */
  readonly reservation?: Reservation;
}

type NotMade =
  /** The page has more bytes than its format may have; so many records from the first one on have not. */
  | { readonly kind: 'too large'; readonly fitting: number }
  /** The totals have more rows than an answer may have; the problem is a sentence about GroupBy. */
  | { readonly kind: 'too many groups'; readonly problem: string }
  /** Other answers take the memory that this one needs. */
  | { readonly kind: 'no room' };

type Making = MadeAnswer | NotMade;

interface WrittenAnswer {
  readonly kind: 'written';
  readonly body: Buffer;
  readonly total: number;
  readonly records: number;
}

/** Throws as `planPage` does. */
export async function findOrMakeAnswer(query: OpenedQuery, service: Service): Promise<Making> {
  const known = service.answers.find(query.digest);
  if (known !== undefined) {
    service.metrics.sentAgain();
    return forMethod({ ...known, kind: 'made' }, query);
  }
  service.metrics.searched();
  const reservation = service.bytesInFlight.reserve();
  try {
    const made = await makeAnswer(query, service, reservation);
    if (made.kind === 'made' && typeof made.body !== 'number') return { ...made, reservation };
    reservation.release();
    return made;
  } catch (error) {
    reservation.release();
    throw error;
  }
}

async function makeAnswer(query: OpenedQuery, service: Service, reservation: Reservation): Promise<Making> {
  const { operation, request, coding, digest } = query;
  const written = await writers[operation.kind](query, service, reservation);
  if (written.kind !== 'written') return written;
  const { body: plain, total, records } = written;
  const hint = total === 0 ? await queryHint(operation, request, query.state, service) : {};
  const headers = { ...contentDisposition(query), ...hint };
  const coded = await encodeBody(plain, coding);
  const made = { body: coded.body, headers: { ...headers, ...coded.headers }, total, records };
  // An answer without records may have a hint, which repeats what was asked; the digest has only its canonical form.
  if (total > 0) service.answers.offer(digest, made);
  return forMethod({ kind: 'made', ...made }, query);
}

const writers = {
  ...{ records: writePage, removed: writePage, places: writePage, totals: writeRows, facets: writeValues },
} as const satisfies Record<Operation['kind'], unknown>;

async function writePage(
  query: OpenedQuery,
  service: Service,
  reservation: Reservation,
): Promise<WrittenAnswer | NotMade> {
  const { memoryFactor } = answerWriters[query.format];
  const mostBytes = service.pageBytes[query.format];
  const { total, records, ...page } = await planAnswer(query, service);
  const reserve = (bytes: number): boolean => reservation.resize(bytes * memoryFactor);
  const read = await page.read({ mostBytes, reserve });
  if (read.kind === 'too large' && memoryFactor > 1) return refuseTexts(read.fitting, query, service, reservation);
  if (read.kind !== 'texts') return read;
  const written = page.write({ total, records, slices: read.slices }, mostBytes);
  if (written.kind === 'too large') return written;
  const { body } = written;
  // The texts of JSON are copied into the body; rows and features stand beside the texts that they were made of.
  if (memoryFactor > 1 && !reservation.resize(read.bytes * memoryFactor + body.length)) return { kind: 'no room' };
  return { kind: 'written', body, total, records };
}

/** The rows are written when their bytes are known: their text and the body made of it are reserved. */
async function writeRows(
  { operation, request, releases, format }: OpenedQuery,
  { caches }: Service,
  reservation: Reservation,
): Promise<WrittenAnswer | NotMade> {
  const planned = await planTotals(operation.dataSet, request, await releases(), caches);
  if (!planned.ok) return { kind: 'too many groups', problem: planned.problem };
  const body = Buffer.from(writeTotals(planned.value, format));
  if (!reservation.resize(2 * body.length)) return { kind: 'no room' };
  const { totals, rows } = planned.value;
  return { kind: 'written', body, total: totals.count, records: rows.length };
}

/** As `writeRows`; each value counts as a record against the limits of a key. */
async function writeValues(
  { request, releases, format }: OpenedQuery,
  { caches }: Service,
  reservation: Reservation,
): Promise<WrittenAnswer | NotMade> {
  const counted = await countFacets(await releases(), request.condition, request.facets, caches);
  const body = Buffer.from(writeFacets(counted, format));
  if (!reservation.resize(2 * body.length)) return { kind: 'no room' };
  const records = counted.facets.reduce((sum, { values }) => sum + values.length, 0);
  return { kind: 'written', body, total: counted.total, records };
}

/** Rows and features repeat what the texts have once: of the records whose texts fit, fewer may be answered. */
async function refuseTexts(
  fitting: number,
  query: OpenedQuery,
  service: Service,
  reservation: Reservation,
): Promise<WrittenAnswer | NotMade> {
  if (fitting === 0) return { kind: 'too large', fitting };
  const request = { ...query.request, recordCount: fitting };
  const fewer = await writePage({ ...query, request }, service, reservation);
  return fewer.kind === 'written' ? { kind: 'too large', fitting } : fewer;
}

/** HEAD does not send the body. */
function forMethod(made: CachedAnswer & { readonly kind: 'made' }, { isHead }: OpenedQuery): MadeAnswer {
  return isHead ? { ...made, body: made.body.length } : made;
}

/** A browser saves a CSV answer as a file, each page of a walk under its own name. */
function contentDisposition({ operation, request, format }: OpenedQuery): HeaderFields {
  if (format !== 'csv') return {};
  const page = request.startIndex === 0 ? '' : `-${request.startIndex}`;
  return { 'Content-Disposition': `attachment; filename="${operation.name}${page}.csv"` };
}
