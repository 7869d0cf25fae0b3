// Sites and ReportingUnits: the places of amounts and of rights, and what there is at each.

import { operationFunction } from '../shared/http/v1/operations';
import { reportingUnits, sites } from '../shared/query/operations';

export const placesFunctions = [operationFunction(sites), operationFunction(reportingUnits)] as const;
