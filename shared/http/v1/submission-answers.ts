// Describes submissions in the answers of the submission operations (D76).

import { type Outcome } from '../pipeline/outcome';
import type { Service } from '../pipeline/service';
import type { SubmissionRecord } from '../pipeline/submission-ports';

/** Answers about submissions can change at any moment, and are meant for one organization only. */
const NO_STORE = { 'Cache-Control': 'no-store' };

const SUBMISSIONS_PATH = 'v1/Submissions';

/** Whether a settled submission has files of rejected rows and of rows with warnings. */
export interface RowKinds {
  readonly rejected: boolean;
  readonly warned: boolean;
}

export function getSubmissionAddress({ publicUrl }: Pick<Service, 'publicUrl'>, id: string): string {
  return `${publicUrl}/${SUBMISSIONS_PATH}/${id}`;
}

export function describeSubmission(
  record: SubmissionRecord,
  rows: RowKinds,
  service: Pick<Service, 'publicUrl'>,
): object {
  const { id, organization, status, received, finished, outcome, confirmationCode } = record;
  const self = getSubmissionAddress(service, id);
  const isSettled = finished !== null;
  return {
    Id: id,
    Organization: organization,
    Status: status,
    Received: received,
    Finished: finished,
    Outcome: outcome,
    ...(confirmationCode !== null && { ConfirmationCode: confirmationCode }),
    Links: {
      self,
      ...(isSettled && { report: `${self}/Report` }),
      ...(rows.rejected && { rejected: `${self}/Rejected` }),
      ...(rows.warned && { warned: `${self}/Warned` }),
      ...(status === 'Held' && { confirmation: `${self}/Confirmation` }),
    },
  };
}

export function sendJson(value: object, status?: 200 | 202, headers: Readonly<Record<string, string>> = {}): Outcome {
  const body = Buffer.from(JSON.stringify(value));
  return { kind: 'answer', status, body, contentType: 'application/json', headers: { ...NO_STORE, ...headers } };
}
