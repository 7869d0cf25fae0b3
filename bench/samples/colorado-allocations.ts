// The sample of water rights.

import { SeededRandom } from '../generate/seeded-random';
import { allocationColumns, beneficialUseColumns, relationColumns, siteColumns } from './sample-columns';
import { coloradoRights, coloradoUses } from './colorado-rights';
import { coloradoSites, relationsOf } from './colorado-sites';
import {
  methodTable,
  organizationTable,
  variableTable,
  waterSourceTable,
  type SampleOrganization,
} from './sample-lookups';
import { soundRows, withRejected, withWarning, type SampleRow, type SampleSubmission } from './sample-submission';

const organization: SampleOrganization = {
  uuid: 'SAMPLE_CO',
  state: 'CO',
  name: 'Sample Water Agency of Colorado',
  purview: 'Sample data: invented, for trying the service.',
};

export function coloradoAllocations(seed: number): SampleSubmission {
  const random = new SeededRandom(seed);
  const sites = coloradoSites(organization, random);
  const rights = coloradoRights(sites, random);
  return {
    folder: 'colorado-allocations',
    description:
      'Water rights with priorities from 1869 to 2019, with flow, volume or both, of one or several uses. One right has ' +
      '64 sites. beneficialuses.csv gives the categories of the uses.',
    tables: [
      organizationTable(organization),
      variableTable(organization, [
        {
          variable: 'Allocation',
          specific: 'Allocation',
          interval: 'Year',
          statistic: 'Average',
          unit: 'CFS',
          maximumUnit: 'AF',
          yearBegins: 10,
        },
      ]),
      methodTable(organization, [
        {
          ApplicableResourceTypeCV: 'Surface Ground Water',
          MethodDescription: 'Decrees, as they stand in the sample register.',
          MethodName: 'Water rights register',
          MethodTypeCV: 'Legal Process',
        },
      ]),
      waterSourceTable(organization, [
        { name: 'Whitepeak River', type: 'Surface Water' },
        { name: 'Columbine Creek', type: 'Surface Water' },
        { name: 'Sandreed Aquifer', type: 'Groundwater' },
      ]),
      { file: 'sites.csv', columns: siteColumns, rows: soundRows(sites.map((site) => site.cells)) },
      { file: 'podsitetopousiterelationships.csv', columns: relationColumns, rows: soundRows(relationsOf(sites)) },
      { file: 'beneficialuses.csv', columns: beneficialUseColumns, rows: soundRows(coloradoUses) },
      { file: 'waterallocations.csv', columns: allocationColumns, rows: withFlaws(soundRows(rights)) },
    ],
  };
}

function withFlaws(sound: readonly SampleRow[]): SampleRow[] {
  let rows = withWarning(sound, 10, { SiteUUID: 'SAMPLE_CO_S11,SAMPLE_CO_S777' }, 'one of its sites is not held');
  rows = withWarning(rows, 25, { SiteUUID: '' }, 'a right without a site');
  rows = withWarning(rows, 40, { AllocationPriorityDate: '1902-02-30' }, 'a date that cannot be read');
  rows = withWarning(rows, 55, { BeneficialUseCategory: 'irrigation' }, 'a use in other letter case: irrigation');
  rows = withWarning(rows, 70, { AllocationFlow_CFS: '2.5 cfs' }, 'a number that cannot be read');
  rows = withRejected(
    rows,
    150,
    { AllocationOwner: 'Sample Ranch 999' },
    'a second row of the same AllocationNativeID',
  );
  rows = withRejected(rows, 120, { AllocationNativeID: '' }, 'no identifier of the right');
  return withRejected(
    rows,
    90,
    { AllocationNativeID: 'CO-0999', VariableSpecificUUID: 'SAMPLE_CO_V9' },
    'a variable that is not held',
  );
}
