// The answer to a query: as it was sent before, or searched for, written and compressed.

import type { KeptAnswer } from '../answer/answer-memory';
import { answerWriters } from '../answer/answer-writers';
import { bytesOf, joinPieces } from '../answer/pieces';
import type { Operation } from '../query/operation';
import type { OperationRequest } from '../query/read-request';
import type { AnswerFormat } from '../query/answer-format';
import { dataSetLayouts } from '../records/data-sets';
import { planPage, type ReadRelease } from '../search/plan-page';
import type { CatalogState } from '../store/catalog-types';
import { success, type Result } from '../values/result';
import { encodeBody, type ContentCoding } from './content-coding';
import { queryHint } from './query-hint';
import type { Service } from './service';

export interface AskedAnswer {
  readonly operation: Operation;
  readonly request: OperationRequest;
  readonly format: AnswerFormat;
  readonly coding: ContentCoding | undefined;
  /** Stands for the answer's bytes. */
  readonly digest: string;
  /** Only how long the body is. */
  readonly isHead: boolean;
}

/** `headers` are its own, not those that follow from the request. */
export interface Answer extends Omit<KeptAnswer, 'body'> {
  /** Its length for HEAD. */
  readonly body: Buffer | number;
}

/** A failure is a sentence about RecordCount. Throws as `planPage` does. */
export async function makeAnswer(
  asked: AskedAnswer,
  releases: readonly ReadRelease[],
  state: CatalogState,
  service: Service,
): Promise<Result<Answer>> {
  const { operation, request, format, coding, digest, isHead } = asked;
  const { answers, caches } = service;
  const ready = (answer: KeptAnswer): Result<Answer> => success(isHead ? headOf(answer, service) : answer);
  const known = answers.find(digest);
  if (known !== undefined) return ready(known);
  const page = await planPage(releases, request.criteria, request, caches);
  const written = await answerWriters[format].write(dataSetLayouts[operation.dataSet], page);
  if (!written.ok) return written;
  const { total } = page;
  const hint = total === 0 ? await queryHint(operation, request, state, service) : {};
  const own = { ...dispositionOf(operation, request, format), ...hint };
  const records = page.slices.reduce((sum, { numbers }) => sum + numbers.length, 0);
  if (isHead && coding === undefined) return success({ body: bytesOf(written.value), headers: own, total, records });
  const plain = joinPieces(written.value, answers);
  const coded = await encodeBody(plain, coding);
  if (coded.body !== plain) answers.giveBack(plain);
  const answer = { body: coded.body, headers: { ...own, ...coded.headers }, total, records };
  // A hint repeats what was asked, which the digest has only in its canonical form.
  if (total > 0) answers.keep(digest, answer);
  return ready(answer);
}

function headOf({ body, ...answer }: KeptAnswer, { answers }: Service): Answer {
  answers.giveBack(body);
  return { ...answer, body: body.length };
}

/** A browser saves a CSV answer as a file, each page of a walk under its own name. */
function dispositionOf(
  { name }: Operation,
  { startIndex }: OperationRequest,
  format: AnswerFormat,
): Readonly<Record<string, string>> {
  if (format !== 'csv') return {};
  return { 'Content-Disposition': `attachment; filename="${name}${startIndex === 0 ? '' : `-${startIndex}`}.csv"` };
}
