// Submissions over HTTP (D76). The holder of a key for submitting sends submissions, checks their status, and confirms
// those that are held. The files become an entry of the inbox, which a loader processes like any other entry.

import type { Caller } from '../pipeline/authorize';
import { badParameters, createProblem, type Outcome, refuse } from '../pipeline/outcome';
import { readPathSegments } from '../pipeline/pipeline';
import { negotiateReportFormat, sendReport } from '../pipeline/report-answers';
import type { Route } from '../pipeline/route';
import type { HttpRequest, Service } from '../pipeline/service';
import type { SubmissionDesk, SubmissionRecord } from '../pipeline/submission-ports';
import { sendRowFiles } from './row-files';
import { describeSubmission, getSubmissionAddress, sendJson } from './submission-answers';
import { checkRoute, examineBody, getSubmissions, NOT_ACCEPTABLE } from './submission-checks';

interface DeskRequest {
  readonly request: HttpRequest;
  readonly service: Service;
  readonly desk: SubmissionDesk;
  readonly caller: Caller;
  /** The organization of the key. */
  readonly organization: string;
}

type AnswerRecord = (record: SubmissionRecord, request: DeskRequest) => Promise<Outcome>;

/** Undefined if SUBMISSIONS_HTTP turns the operation off, which becomes a 404. */
export function findSubmissionRoute(request: HttpRequest, { submissions }: Service): Route | undefined {
  if (submissions === undefined || submissions.submissionsHttp === 'off') return undefined;
  const [id, part, ...others] = readPathSegments(2, request.url);
  if (others.length > 0) return undefined;
  if (id?.toLowerCase() === 'checks' && part === undefined) return checkRoute;
  if (submissions.submissionsHttp !== 'submit') return undefined;
  return id === undefined ? createListRoute(request) : createRecordRoute(id, part?.toLowerCase());
}

/** Submitting requires the key in a header: with a key in the URL, a page of another site could submit. */
function createListRoute({ method }: HttpRequest): Route {
  return {
    access: method === 'POST' ? 'key in header' : 'key',
    methods: ['GET', 'POST'],
    answer: (request, service, _, caller) =>
      answerAtDesk(request, service, caller, method === 'POST' ? submit : answerList),
  };
}

function createRecordRoute(id: string, part: string | undefined): Route | undefined {
  const answerRecord = part === undefined ? answerSubmission : RECORD_PARTS.get(part);
  if (answerRecord === undefined) return undefined;
  const isConfirmation = part === 'confirmation';
  return {
    access: isConfirmation ? 'key in header' : 'key',
    methods: [isConfirmation ? 'POST' : 'GET'],
    answer: (request, service, _, caller) =>
      answerAtDesk(request, service, caller, async (deskRequest) => {
        const record = await deskRequest.desk.find(deskRequest.organization, id);
        return record === undefined ? refuse(NO_SUBMISSION) : answerRecord(record, deskRequest);
      }),
  };
}

async function answerAtDesk(
  request: HttpRequest,
  service: Service,
  caller: Caller,
  answer: (deskRequest: DeskRequest) => Promise<Outcome>,
): Promise<Outcome> {
  const { submits: organization } = caller;
  if (organization === undefined) return refuse(NOT_SUBMITTING);
  const desk = await getSubmissions(service).openDesk?.();
  if (desk === undefined) throw new Error('submissions are enabled, but there is no inbox');
  return answer({ request, service, desk, caller, organization });
}

async function submit({ request, service, desk, caller, organization }: DeskRequest): Promise<Outcome> {
  const limit = { maxBytes: getSubmissions(service).submitBytes, task: 'unpack' } as const;
  return examineBody({ request, service, caller }, limit, async ({ files, folder }) => {
    const record = await desk.submit({ organization, keyId: caller.keyId ?? '' }, files, folder);
    const headers = { Location: getSubmissionAddress(service, record.id) };
    return sendJson(describeSubmission(record, NO_ROWS, service), 202, headers);
  });
}

async function answerList({ service, desk, organization }: DeskRequest): Promise<Outcome> {
  const { total, submissions } = await desk.list(organization);
  const described = await Promise.all(submissions.map((record) => describe(record, service, desk)));
  return sendJson({ TotalSubmissionsCount: total, Submissions: described });
}

async function answerSubmission(record: SubmissionRecord, { service, desk }: DeskRequest): Promise<Outcome> {
  return sendJson(await describe(record, service, desk));
}

const NO_ROWS = { rejected: false, warned: false };

async function describe(record: SubmissionRecord, service: Service, desk: SubmissionDesk): Promise<object> {
  const rows = record.finished === null ? NO_ROWS : await desk.findRows(record);
  return describeSubmission(record, rows, service);
}

async function answerReport(record: SubmissionRecord, { request, desk }: DeskRequest): Promise<Outcome> {
  const format = negotiateReportFormat(request.headers.get('accept'));
  if (format === undefined) return refuse(NOT_ACCEPTABLE);
  const report = await desk.readReport(record, format);
  return report === undefined ? refuse(NO_REPORT) : sendReport(Buffer.from(report), format);
}

function answerRows(kind: 'rejected' | 'warned'): AnswerRecord {
  return async (record, { desk }) => {
    const files = await desk.listRows(record, kind);
    return files.length === 0 ? refuse(NO_ROW_FILES) : sendRowFiles(files, `${record.id}-${kind}`);
  };
}

async function confirm(record: SubmissionRecord, { request, service, desk }: DeskRequest): Promise<Outcome> {
  const code = await readCode(request);
  if (code === undefined) return refuse(badParameters([{ parameter: 'Code', message: CODE_RULE, value: '' }]));
  switch (await desk.confirm(record, code)) {
    case 'confirmed': {
      const current = (await desk.find(record.organization, record.id)) ?? record;
      return sendJson(await describe(current, service, desk), 202);
    }
    case 'wrong code':
      return refuse(WRONG_CODE);
    case 'not held':
      return refuse(NOT_HELD);
    case 'busy':
      return refuse(BEING_CONFIRMED);
  }
}

const RECORD_PARTS: ReadonlyMap<string, AnswerRecord> = new Map<string, AnswerRecord>([
  ['report', answerReport],
  ['rejected', answerRows('rejected')],
  ['warned', answerRows('warned')],
  ['confirmation', confirm],
]);

const MAX_CODE_BYTES = 8192;

const CODE_RULE = 'must be the confirmation code of the submission, in a JSON body such as {"Code": "..."}';

/** Undefined if the body contains no code. */
async function readCode({ readBody }: HttpRequest): Promise<string | undefined> {
  const bytes = await readBody?.(MAX_CODE_BYTES);
  if (bytes === undefined) return undefined;
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
  const code = typeof body === 'object' && body !== null && 'Code' in body ? body.Code : undefined;
  return typeof code === 'string' && code.trim() !== '' ? code.trim() : undefined;
}

export const NOT_SUBMITTING = createProblem(
  403,
  'Key may not submit',
  'This access key may check submissions, but not send them. The operator of the service issues keys for the submissions of one organization.',
);

export const NO_SUBMISSION = createProblem(
  404,
  'No such submission',
  'Your organization has no submission with this id, or it is no longer kept. GET /v1/Submissions lists those that are available.',
);

export const NO_REPORT = createProblem(
  404,
  'No report yet',
  'The submission is still being processed. Request it again later: it has a report once its Status is Published, Held or Refused.',
);

export const NO_ROW_FILES = createProblem(
  404,
  'No such rows',
  'The submission has no such rows, or it is still being processed.',
);

const NOT_HELD = createProblem(
  409,
  'Submission not held',
  'Only a held submission can be confirmed. Request the submission to see its Status.',
);

export const WRONG_CODE = createProblem(
  409,
  'Wrong confirmation code',
  'The code does not match the held submission. The right code is in its ConfirmationCode and in its report.',
);

const BEING_CONFIRMED = createProblem(
  409,
  'Submission being confirmed',
  'Another request is confirming this submission right now. Request the submission to see its Status.',
);
