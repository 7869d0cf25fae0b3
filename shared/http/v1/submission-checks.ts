// Checks of submissions (D76): POST /v1/Submissions/Checks makes a dry run and returns its report. Nothing is stored.

import { mkdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../store/make-folder';
import { createProcessName } from '../../store/process-names';
import type { Caller } from '../pipeline/authorize';
import { addHeaders, createProblem, type Outcome, type Problem, refuse } from '../pipeline/outcome';
import { negotiateReportFormat, REPORT_TYPES, sendReport } from '../pipeline/report-answers';
import type { Route } from '../pipeline/route';
import type { HttpRequest, Service } from '../pipeline/service';
import {
  CHECK_REPORTS,
  type Examination,
  type ExaminationJob,
  type SubmissionPorts,
} from '../pipeline/submission-ports';
import { receiveSubmission, UNREADABLE_SUBMISSION } from './submission-body';

/** The unpacked files may be this many times as large as the body. */
const UNPACKED_FACTOR = 10;

export const checkRoute: Route = {
  access: 'key in header',
  methods: ['POST'],
  answer: (request, service, _, caller) => answerCheck(request, service, caller),
};

async function answerCheck(request: HttpRequest, service: Service, caller: Caller): Promise<Outcome> {
  const format = negotiateReportFormat(request.headers.get('accept'));
  if (format === undefined) return refuse(NOT_ACCEPTABLE);
  const limit = { maxBytes: getSubmissions(service).checkBytes, task: 'check' } as const;
  return examineBody({ request, service, caller }, limit, async ({ folder }) => {
    // The JSON comes from `writeReport`.
    const { verdict } = JSON.parse(await readFile(join(folder, CHECK_REPORTS.json), 'utf8')) as Verdict;
    // Tells the page whether the files can be submitted.
    const headers = { 'Check-Verdict': verdict };
    return addHeaders(sendReport(await readFile(join(folder, CHECK_REPORTS[format])), format), headers);
  });
}

interface Verdict {
  readonly verdict: string;
}

export interface SubmissionRequest {
  readonly request: HttpRequest;
  readonly service: Service;
  readonly caller: Caller;
}

interface ExaminationLimit {
  readonly maxBytes: number;
  readonly task: ExaminationJob['task'];
}

/**
 * Receives the body into a folder, examines it, and calls `answer` if it can be read. Removes the folder at the end. If
 * the process is killed first, the next load removes it.
 */
export async function examineBody(
  { request, service, caller }: SubmissionRequest,
  { maxBytes, task }: ExaminationLimit,
  answer: (job: ExaminationJob) => Promise<Outcome>,
): Promise<Outcome> {
  const { slots, stagingDirectory, examine } = getSubmissions(service);
  const { keyId = '' } = caller;
  if (!slots.acquire(keyId)) return refuse(TOO_MANY_CHECKS);
  const folder = join(stagingDirectory, createProcessName());
  try {
    const sent = join(folder, 'sent');
    makeFolder(stagingDirectory);
    mkdirSync(sent, { recursive: true });
    const body = await receiveSubmission(request, sent, maxBytes);
    if ('status' in body) return refuse(body);
    const job: ExaminationJob = { folder, ...body, task, maxUnpackedBytes: UNPACKED_FACTOR * maxBytes };
    const problem = explainExamination(await examine(job));
    return problem === undefined ? await answer(job) : refuse(problem);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    slots.release(keyId);
  }
}

export function getSubmissions({ submissions }: Service): SubmissionPorts {
  if (submissions === undefined) throw new Error('a submissions route was matched, but submissions are turned off');
  return submissions;
}

function explainExamination(examination: Examination): Problem | undefined {
  switch (examination.kind) {
    case 'done':
      return undefined;
    case 'unreadable': {
      return submissionUnreadable(examination.reason);
    }
    case 'given up':
      return examination.because === 'time' ? TOOK_TOO_LONG : NEEDS_TOO_MUCH;
  }
}

/** `reason` is a sentence without a period. */
export function submissionUnreadable(reason: string): Problem {
  return createProblem(422, UNREADABLE_SUBMISSION, `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`);
}

const ADVICE = "Put it into the service's inbox instead, or ask the operator to load it.";

const TOOK_TOO_LONG = createProblem(
  422,
  'Check too long',
  `The submission is too large to check over HTTP: the check took more than 200 seconds. ${ADVICE}`,
);

const NEEDS_TOO_MUCH = createProblem(
  422,
  'Check too large',
  `The submission is too large to check over HTTP: the check needs more memory than a loader has. ${ADVICE}`,
);

export const TOO_MANY_CHECKS = createProblem(
  503,
  'Too many checks',
  'Another submission is being checked: each key can run one check at a time, and the service can run only a few. Try again after the time in Retry-After.',
  { 'Retry-After': '10' },
);

export const NOT_ACCEPTABLE = createProblem(
  406,
  'No such format',
  `The formats are ${Object.values(REPORT_TYPES).join(', ')}. Request one in the header Accept.`,
);
