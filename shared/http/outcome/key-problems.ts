// What is wrong with the key of a request (D55), and how a 401 asks for one.

import type { KeyFault } from '../../access/access-keys';
import type { HeaderFields, Problem } from './outcome';

const SEND_KEY =
  'Send a valid access key in the header X-API-Key, in the parameter key, or as the user name of HTTP Basic. ' +
  'The operator of the service issues keys.';

/** The four ways in which a request can lack a good key (D55). */
export const KEY_PROBLEMS: Readonly<Record<KeyFault, Problem>> = {
  missing: unauthorized('Key missing', `The request has no access key. ${SEND_KEY}`),
  unknown: unauthorized('Key unknown', `The access key is none of this service. ${SEND_KEY}`),
  revoked: unauthorized('Key revoked', `The access key was revoked. ${SEND_KEY}`),
  expired: unauthorized('Key expired', `The access key has expired. ${SEND_KEY}`),
};

export const KEY_NOT_FOR_METRICS = unauthorized(
  KEY_PROBLEMS.unknown.title,
  'The access key is none that may read metrics. Such a key is issued with: npm run keys -- issue --owner NAME --metrics',
);

/** Asks programs for the key in a header of ours. */
export const ASK_FOR_HEADER: HeaderFields = { 'WWW-Authenticate': 'ApiKey realm="water-data"' };

/** Asks a browser, or a GIS, for the key as a user name (D51). */
export const ASK_FOR_USER_NAME: HeaderFields = {
  'WWW-Authenticate': 'Basic realm="water-data: the access key as user name", charset="UTF-8"',
};

function unauthorized(title: string, detail: string): Problem {
  return { status: 401, title, detail };
}
