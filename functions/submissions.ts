// Submissions over HTTP (D76): POST /v1/Submissions/Checks and the other paths below /v1/Submissions. Callers need a
// key. All paths are a 404 if SUBMISSIONS_HTTP is off.

import { httpFunction } from '../shared/http/pipeline/pipeline';
import { findSubmissionRoute } from '../shared/http/v1/submissions';

export const submissionsFunction = httpFunction({
  name: 'Submissions',
  route: 'v1/Submissions/{*path}',
  routes: [{ name: 'Submissions', path: 'v1/Submissions/{*path}', route: findSubmissionRoute }],
});
