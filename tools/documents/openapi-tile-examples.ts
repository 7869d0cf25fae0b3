// Examples of tiles with content. The examples that parameters declare match nothing in the samples, and an empty tile
// is a 204 (D80). A test requests each example.

import type { TileCollection } from '../../shared/query/tile-collections';

type Examples = Readonly<Record<string, string>>;

const ALL_SAMPLES = '-120,31,-102,49';

const POINTS: Examples = {
  SiteUUID: 'SAMPLE_CO_S52',
  HUC8: '14029001',
  HUC12: '140290010101',
  OrganizationUUID: 'SAMPLE_CO',
};

export const TILE_EXAMPLES: Readonly<Record<TileCollection['id'], Examples>> = {
  sites: {
    ...POINTS,
    q: 'reservoir',
    mix: 'type',
    VariableCV: 'Discharge Flow',
    VariableSpecificCV: 'Discharge Flow_Stream Gage',
  },
  'reporting-units': {
    q: 'slough',
    bbox: ALL_SAMPLES,
    SearchBoundary: `bbox:${ALL_SAMPLES}`,
    ReportingUnitUUID: 'SAMPLE_ID_RU1',
    State: 'NM',
    OrganizationUUID: 'SAMPLE_NM',
    VariableCV: 'Aggregated Withdrawal',
    MinimumYears: '5',
  },
  allocations: {
    ...POINTS,
    q: 'CO-0001',
    bbox: ALL_SAMPLES,
    filter: "State = 'CO' OR State = 'WY'",
    SearchGeometry: `bbox:${ALL_SAMPLES}`,
    County: 'Gunnison',
    State: 'CO',
    AllocationUUID: 'SAMPLE_WY_WR1',
    AllocationNativeID: 'CO-0001',
    AllocationLegalStatusCV: 'Absolute',
    AllocationOwner: 'Ranch',
    AllocationTypeCV: 'Decreed',
  },
};
