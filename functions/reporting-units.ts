// The reporting units of aggregated amounts, with the series of each: GET or POST /v1/ReportingUnits.
// Callers need a key.

import { httpFunction } from '../shared/http/pipeline/pipeline';
import { operationEntry } from '../shared/http/v1/operations';
import { reportingUnits } from '../shared/query/operations';

export const reportingUnitsFunction = httpFunction({
  name: 'ReportingUnits',
  route: 'v1/ReportingUnits/{*path}',
  routes: [operationEntry(reportingUnits)],
});
