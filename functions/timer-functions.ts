// The timer functions that the platform and the local host run.

import { janitor } from './janitor';
import { loadSubmissions } from './load-submissions';
import { makeFiles } from './make-files';
import { sendMails } from './send-mails';
import type { TimerFunction } from './timer-function';

export const timerFunctions: readonly TimerFunction[] = [loadSubmissions, makeFiles, sendMails, janitor];
