// Sites and ReportingUnits: the places of amounts and of rights, and what there is at each.

import { endpoint } from '../shared/http/operations/endpoint';
import { reportingUnits, sites } from '../shared/query/operations';

export const placesFunctions = [endpoint(sites), endpoint(reportingUnits)] as const;
