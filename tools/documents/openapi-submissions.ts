// The operations of submissions (D76) for the OpenAPI document.

import { badParameters, UNKNOWN_PATH } from '../../shared/http/pipeline/outcome';
import { REPORT_TYPES } from '../../shared/http/pipeline/report-answers';
import {
  submissionTooLarge,
  UNSUPPORTED_SUBMISSION,
  WORKBOOK_TYPES,
  ZIP_TYPES,
} from '../../shared/http/v1/submission-body';
import { NOT_ACCEPTABLE, submissionUnreadable, TOO_MANY_CHECKS } from '../../shared/http/v1/submission-checks';
import { NO_REPORT, NO_ROW_FILES, NO_SUBMISSION, NOT_SUBMITTING, WRONG_CODE } from '../../shared/http/v1/submissions';
import {
  buildResponses,
  type DescribedProblem,
  KEY_MISSING,
  KEY_PROBLEM_SENTENCE,
  problemHeaders,
} from './openapi-responses';
import { reference, type Schema } from './openapi-schemas';

export const SUBMISSIONS_TAG = {
  name: 'Submissions',
  description: 'Checking and sending submissions, if the operator has enabled this.',
};

const LIST = '/v1/Submissions';
const ONE = `${LIST}/{Id}`;

export function buildSubmissionPaths(): Readonly<Record<string, object>> {
  return {
    [`${LIST}/Checks`]: { post: buildCheck() },
    [LIST]: { get: buildList(), post: buildSubmit() },
    [ONE]: {
      get: buildOperation('Submission', 'A submission of your organization.', {
        ...buildJsonResponse(200, 'The submission.', 'Submission'),
        ...buildResponses([...SENDERS, GONE]),
      }),
    },
    [`${ONE}/Report`]: {
      get: buildOperation('SubmissionReport', 'The report of a submission, as JSON, a page or text.', {
        200: buildReport('The report.'),
        ...buildResponses([
          ...SENDERS,
          [NO_REPORT, 'The submission is still being processed, or has no report.'],
          FORMAT,
        ]),
      }),
    },
    [`${ONE}/Rejected`]: {
      get: buildRows('RejectedRows', 'The rejected rows of a submission, to fix and send again.'),
    },
    [`${ONE}/Warned`]: { get: buildRows('WarnedRows', 'The warnings of a submission.') },
    [`${ONE}/Confirmation`]: { post: buildConfirmation() },
  };
}

const OFF = 'The operator has not enabled submissions over HTTP.';

const KEYS: DescribedProblem = [KEY_MISSING, KEY_PROBLEM_SENTENCE];
const NOT_ENABLED: DescribedProblem = [UNKNOWN_PATH, OFF];
const GONE: DescribedProblem = [
  NO_SUBMISSION,
  `The submission does not exist or belongs to another organization. ${OFF}`,
];
const SENDERS: readonly DescribedProblem[] = [KEYS, [NOT_SUBMITTING, 'The key may not send submissions.']];
const FORMAT: DescribedProblem = [NOT_ACCEPTABLE, 'None of the available formats matches the header `Accept`.'];

const BODY_PROBLEMS: readonly DescribedProblem[] = [
  [submissionTooLarge(50 * 1024 * 1024), 'The body is too large.'],
  [UNSUPPORTED_SUBMISSION, 'The body has an unsupported type.'],
  [
    submissionUnreadable('submission.zip is encrypted; send it without a password'),
    'The archive or workbook cannot be read, is encrypted or nested, is too large when unpacked, has too many entries, ' +
      'or contains links, absolute paths or `..`; or the check takes too much time or memory.',
  ],
  [TOO_MANY_CHECKS, 'The key has another submission in progress, or the service has too many.'],
];

function buildCheck(): object {
  return buildOperation(
    'CheckSubmission',
    'Checks a submission and returns the report of a dry run. Nothing is stored.',
    {
      200: buildReport('The report, even if the submission would be refused.'),
      ...buildResponses([KEYS, NOT_ENABLED, FORMAT, ...BODY_PROBLEMS]),
    },
    buildBody(),
  );
}

function buildSubmit(): object {
  return buildOperation(
    'SendSubmission',
    'Sends a submission. It is loaded within minutes.',
    {
      ...buildJsonResponse(202, 'The submission, which is now waiting. `Location` has its URL.', 'Submission', {
        Location: { description: 'The address of the submission.', schema: { type: 'string' } },
      }),
      ...buildResponses([...SENDERS, NOT_ENABLED, ...BODY_PROBLEMS]),
    },
    buildBody(),
  );
}

function buildList(): object {
  return buildOperation('Submissions', 'The submissions of your organization, newest first, at most 100.', {
    ...buildJsonResponse(200, 'The submissions.', 'SubmissionList'),
    ...buildResponses([...SENDERS, NOT_ENABLED]),
  });
}

function buildRows(operationId: string, summary: string): object {
  const file = { schema: { type: 'string', format: 'binary' } };
  const content = { 'text/csv': { schema: { type: 'string' } }, 'application/zip': file };
  return buildOperation(operationId, summary, {
    200: { description: 'A CSV file, or a ZIP file of several CSV files.', headers: problemHeaders, content },
    ...buildResponses([...SENDERS, [NO_ROW_FILES, 'The submission has no such rows.']]),
  });
}

function buildConfirmation(): object {
  const bad = badParameters([{ parameter: 'Code', message: 'must be the confirmation code', value: '' }]);
  return buildOperation(
    'ConfirmSubmission',
    'Confirms a held submission, so that exactly this one is published.',
    {
      ...buildJsonResponse(202, 'The submission, which is now waiting again.', 'Submission'),
      ...buildResponses([
        [bad, 'The body has no code.'],
        ...SENDERS,
        GONE,
        [WRONG_CODE, 'The code is wrong, the submission is not held, or another request confirms it.'],
      ]),
    },
    { required: true, content: { 'application/json': { schema: reference('SubmissionConfirmation') } } },
  );
}

function buildOperation(operationId: string, summary: string, responses: object, requestBody?: object): object {
  const security = [{ KeyInHeader: [] }, { KeyAsToken: [] }];
  const tags = [SUBMISSIONS_TAG.name];
  const hasId = !['CheckSubmission', 'SendSubmission', 'Submissions'].includes(operationId);
  const parameters = hasId ? { parameters: [ID] } : {};
  const description = DESCRIPTIONS[operationId];
  return { operationId, tags, summary, description, security, ...parameters, responses, requestBody };
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  CheckSubmission:
    'Any key may check. The body is a ZIP file, a workbook or the files as a form. `Check-Verdict` has the verdict.',
  SendSubmission:
    'Needs a key that allows submissions for one organization. The body has the same form as for a check.',
  Submissions: 'Lists submissions that were sent over HTTP, as long as the operator keeps them.',
  Submission: 'Repeat the request until `Status` is Published, Held or Refused.',
  SubmissionReport: 'The header `Accept` selects the format.',
  RejectedRows: 'Fixed rows can be sent again as a merge.',
  WarnedRows: 'Rows with warnings are published.',
  ConfirmSubmission: 'The code is the `ConfirmationCode` of the submission, which is also in its report.',
};

const ID = {
  name: 'Id',
  in: 'path',
  required: true,
  description: 'The Id of the submission.',
  schema: { type: 'string', pattern: '^\\d{8}T\\d{9}Z-[0-9a-f]{8}$' },
  example: '20260102T030405678Z-0a1b2c3d',
};

function buildBody(): object {
  const binary = { schema: { type: 'string', format: 'binary' } };
  const files = { type: 'array', items: { type: 'string', format: 'binary' }, description: 'The files.' };
  const form = {
    schema: { type: 'object', properties: { files }, description: 'Each file as a separate part with a file name.' },
  };
  const [zip = ''] = ZIP_TYPES;
  const [workbook = ''] = WORKBOOK_TYPES;
  return { required: true, content: { [zip]: binary, [workbook]: binary, 'multipart/form-data': form } };
}

function buildReport(description: string): object {
  const text = { schema: { type: 'string' } };
  const json = { schema: { type: 'object', description: 'See docs/report.schema.json.' } };
  const content = { [REPORT_TYPES.json]: json, [REPORT_TYPES.html]: text, [REPORT_TYPES.text]: text };
  return { description, headers: problemHeaders, content };
}

function buildJsonResponse(status: number, description: string, name: string, headers: object = {}): object {
  const content = { 'application/json': { schema: reference(name) } };
  return { [status]: { description, headers: { ...problemHeaders, ...headers }, content } };
}

const text = (description: string): object => ({ type: 'string', description });
const nullableText = (description: string): object => ({ type: ['string', 'null'], description });
const time = { type: 'string', format: 'date-time', description: 'When it was received.' };

const submission: Schema = {
  type: 'object',
  properties: {
    Id: text('Identifies the submission.'),
    Organization: text('The organization (OrganizationUUID) of the key with which it was sent.'),
    Status: {
      type: 'string',
      enum: ['Waiting', 'Working', 'Published', 'Held', 'Refused'],
      description: 'Published even if it changed nothing.',
    },
    Received: time,
    Finished: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When it was published, held or refused; null before that.',
    },
    Outcome: nullableText('The first line of its report; null before that.'),
    ConfirmationCode: text('The code that confirms the submission while it is held.'),
    Links: {
      type: 'object',
      properties: {
        self: text('The submission.'),
        report: text('Its report.'),
        rejected: text('Its rejected rows.'),
        warned: text('Its warnings.'),
        confirmation: text('The URL to confirm a held submission.'),
      },
      required: ['self'],
      description: 'Links to related resources, where they apply.',
    },
  },
  required: ['Id', 'Organization', 'Status', 'Received', 'Finished', 'Outcome', 'Links'],
  description: 'A submission that was sent over HTTP.',
};

/** The schemas of bodies and answers of these operations, keyed by name. */
export const submissionSchemas: Readonly<Record<string, Schema>> = {
  Submission: submission,
  SubmissionList: {
    type: 'object',
    properties: {
      TotalSubmissionsCount: { type: 'integer', minimum: 0, description: 'Number of submissions.' },
      Submissions: { type: 'array', items: reference('Submission'), description: 'Newest first, at most 100.' },
    },
    required: ['TotalSubmissionsCount', 'Submissions'],
    description: 'The submissions of an organization.',
  },
  SubmissionConfirmation: {
    type: 'object',
    properties: { Code: text('The confirmation code of the held submission.') },
    required: ['Code'],
    description: 'The confirmation of a held submission.',
  },
};
