// Sends the mails that could not be sent right after a request. Runs every minute if SMTP_URL is set.

import { timerFunction } from './timer-function';

const SCHEDULE = '45 * * * * *';

export const sendMails = timerFunction({
  name: 'SendMails',
  task: 'send-mails',
  schedule: ({ mail }) => (mail === undefined ? undefined : SCHEDULE),
});
