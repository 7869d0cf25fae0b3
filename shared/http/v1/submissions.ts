// Checking and sending submissions over HTTP (D76): finds the route of a path.

import { readPathSegments } from '../pipeline/pipeline';
import type { Route } from '../pipeline/route';
import type { HttpRequest, Service } from '../pipeline/service';
import { checkRoute } from './submission-checks';

/** Undefined, and so a 404, for what the setting SUBMISSIONS_HTTP turns off. */
export function findSubmissionRoute({ url }: HttpRequest, { submissions }: Service): Route | undefined {
  if (submissions === undefined || submissions.submissionsHttp === 'off') return undefined;
  const [first, ...others] = readPathSegments(2, url);
  if (others.length === 0 && first?.toLowerCase() === 'checks') return checkRoute;
  return undefined;
}
