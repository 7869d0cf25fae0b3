// Schedules as the platform's timers read them (NCRONTAB): six fields, second minute hour day month weekday, in UTC.

import { Cron, type CronOptions } from 'croner';
import { failure, success, type Result } from './values/result';

/** Day and weekday must both fit, as on the platform. */
export const SCHEDULE_OPTIONS = { mode: '6-part', timezone: 'UTC', domAndDow: true } as const satisfies CronOptions;

/** croner knows more than the platform does: letters such as L, W and ?, and names such as @daily. */
const SIX_FIELDS = /^([\d*,/-]+\s+){4}[\da-z*,/-]+\s+[\da-z*,/-]+$/i;

export function readSchedule(text: string): Result<string> {
  try {
    if (SIX_FIELDS.test(text) && new Cron(text, { ...SCHEDULE_OPTIONS, paused: true }).nextRun() !== null) {
      return success(text);
    }
  } catch {
    // The failure below says what is wrong.
  }
  return failure('must be a schedule of six fields (second minute hour day month weekday) that comes round');
}
