// GET /v1/Inventory: what is there to ask for (ADR 0038).

import { dataVersion } from './paging-and-access';
import { organizationUuid, state } from './text-filters';
import type { Operation } from './operation';

export const inventory: Omit<Operation, 'dataSet'> = {
  name: 'Inventory',
  route: 'v1/Inventory',
  summary: 'What is published: data sets with their period, their terms and the values that filters find.',
  bindings: [
    { role: 'term', parameter: state, field: 'state' },
    { role: 'organization', parameter: organizationUuid },
    { role: 'dataVersion', parameter: dataVersion },
  ],
};
