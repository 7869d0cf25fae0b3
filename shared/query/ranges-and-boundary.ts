// Filters by time (D6, D7) and by place (D15). Each may stand once (D3).

import { readBoundary } from '../values/boundary/boundary';
import { BOUNDARY_FORMS, type SearchArea } from '../values/boundary/boundary-names';
import { QUERY_DATE_SHAPE, readQueryDate, type Day } from '../values/dates';
import type { Parameter } from './parameter';

export const startDate = dateBound(
  'StartDate',
  "Records whose timeframe starts on or after this date; a record's whole timeframe must lie within the range.",
  '2000-01-01',
);

export const endDate = dateBound(
  'EndDate',
  "Records whose timeframe ends on or before this date; a record's whole timeframe must lie within the range.",
  '2010-12-31',
);

export const startPriorityDate = dateBound(
  'StartPriorityDate',
  'Allocations with a priority date on or after this date.',
  '1900-01-01',
);

export const endPriorityDate = dateBound(
  'EndPriorityDate',
  'Allocations with a priority date on or before this date.',
  '1950-12-31',
);

export const startPublicationDate = dateBound(
  'StartPublicationDate',
  'Records whose data was published on or after this date (DataPublicationDate); records without one do not match.',
  '2023-01-01',
);

export const endPublicationDate = dateBound(
  'EndPublicationDate',
  'Records whose data was published on or before this date (DataPublicationDate); records without one do not match.',
  '2024-12-31',
);

export const searchBoundary: Parameter<SearchArea> = {
  name: 'SearchBoundary',
  synonyms: ['SearchGeometry'],
  isRepeatable: false,
  type: 'string',
  meaning: `Geospatial boundary as WKT or GeoJSON, longitude then latitude, WGS 84; touching counts. Or a boundary by name: ${BOUNDARY_FORMS}.`,
  example: 'POLYGON((-112 40, -111 40, -111 41, -112 41, -112 40))',
  read: (text, settings) => (settings.readBoundary ?? readBoundary)(text),
};

function dateBound(name: string, meaning: string, example: string): Parameter<Day> {
  return {
    name,
    synonyms: [],
    isRepeatable: false,
    type: 'string',
    meaning,
    example,
    limits: { pattern: QUERY_DATE_SHAPE },
    read: (text, settings) => readQueryDate(text, settings.slashDateOrder),
  };
}
