// The loader functions that HTTP requests use. Both hosts pass them to the service.

import { examineInProcess } from '../data-loaders/intake/examine-in-process';
import { openDesk } from '../data-loaders/intake/submission-desk';
import type { IntakeFunctions } from '../shared/http/make-service';

export const intakeFunctions: IntakeFunctions = {
  examine: (job, settings) => examineInProcess(job, settings),
  openDesk,
};
