// The examples of the OpenAPI document: requests, with the local host's answers from the samples.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpFunctions } from '../../functions/http-functions';
import { loadSamples } from '../../host/load-samples';
import { startServer } from '../../host/server';
import { makeKey } from '../../shared/access/access-keys';
import { closeService, createService } from '../../shared/http/make-service';
import { removedOperations } from '../../shared/query/operations';
import { readSettings } from '../../shared/settings';

interface Example {
  readonly name: string;
  readonly summary: string;
  /** The path with the query, without a key. */
  readonly path: string;
}

export interface AnsweredExamples {
  readonly examples: readonly (Example & { readonly answer: unknown })[];
  /** The data version that contains only the samples. Examples with an answer use it. */
  readonly exampleVersion: string;
  /** The data version before the samples were loaded. */
  readonly emptyVersion: string;
  /** A release of the samples. */
  readonly exampleRelease: string;
}

/** Placeholders in a query for the data version with the samples and for the version before. */
const WITH_SAMPLES = '{with}';
const BEFORE_SAMPLES = '{before}';

const examples: readonly Example[] = [
  {
    name: 'gage',
    summary: 'Discharge at stream gages',
    path: '/v1/SiteVariableAmounts?SiteTypeCV=Stream+Gage&StartDate=2015-06-01&RecordCount=1',
  },
  {
    name: 'pastTheEnd',
    summary: 'Past the end of the records',
    path: '/v1/SiteVariableAmounts?State=UT&StartIndex=1000000',
  },
  {
    name: 'publicSupply',
    summary: 'Public water supply by county',
    path: '/v1/AggregatedAmounts?State=NM&BeneficialUseCV=Public+Water+Supply&EndDate=12/31/2000&RecordCount=1',
  },
  {
    name: 'oldRights',
    summary: 'Rights from the 19th century within a boundary',
    path: '/v1/SiteAllocationAmounts?SearchGeometry=POLYGON((-105+37,-103+37,-103+38,-105+38,-105+37))&EndPriorityDate=1900-12-31&RecordCount=1',
  },
  {
    name: 'byYear',
    summary: 'Amounts by year',
    path: '/v1/SiteVariableAmounts/Totals?SearchBoundary=state:UT&PODorPOUSite=POU&GroupBy=Year&RecordCount=2',
  },
  {
    name: 'byUse',
    summary: 'New Mexico amounts by beneficial use',
    path: '/v1/AggregatedAmounts/Totals?State=NM&GroupBy=BeneficialUseCV&RecordCount=2',
  },
  {
    name: 'byDecade',
    summary: 'Rights by priority decade',
    path: '/v1/SiteAllocationAmounts/Totals?GroupBy=PriorityDecade&RecordCount=2',
  },
  {
    name: 'typesAndStates',
    summary: 'Site types and states',
    path: '/v1/SiteVariableAmounts/Facets?EndDate=1990-12-31&Facet=SiteTypeCV&Facet=State',
  },
  {
    name: 'uses',
    summary: 'Counts of beneficial uses, with one use selected',
    path: '/v1/AggregatedAmounts/Facets?BeneficialUseCV=Public+Water+Supply&Facet=BeneficialUseCV',
  },
  {
    name: 'statuses',
    summary: 'Legal statuses and uses of rights',
    path: '/v1/SiteAllocationAmounts/Facets?Facet=AllocationLegalStatusCV&Facet=USGSCategoryNameCV',
  },
  {
    name: 'longSeries',
    summary: 'Sites with ten years or more of one variable',
    path: '/v1/Sites?State=UT&MinimumYears=10&RecordCount=1',
  },
  {
    name: 'publicSupply',
    summary: 'Reporting units with public supply amounts',
    path: '/v1/ReportingUnits?State=NM&BeneficialUseCV=Public+Water+Supply&RecordCount=1',
  },
  ...removedOperations.map(({ route }) => ({
    name: 'betweenVersions',
    summary: 'Records that are in one version but not in another',
    path: `/${route}?Since=${WITH_SAMPLES}&DataVersion=${BEFORE_SAMPLES}&RecordCount=1`,
  })),
];

/** Answers the examples from samples in a temporary store. This takes about a second. */
export async function answerExamples(): Promise<AnsweredExamples> {
  const folder = mkdtempSync(join(tmpdir(), 'water-documents-'));
  const settings = readSettings({ WATER_DATA_DIR: folder, PORT: '0' }, folder);
  const { key } = makeKey('documents', new Date(0).toISOString(), null);
  const service = createService(settings, {
    developmentKey: key,
    now: () => new Date(0),
    logError: (message, error) => {
      throw new Error(message, { cause: error });
    },
  });
  const { version: before } = await service.store.currentState();
  await loadSamples(service.store, settings);
  const { version, entries } = await service.store.currentState();
  const server = await startServer(httpFunctions, service, settings);
  try {
    const address = `http://${settings.host}:${server.port}`;
    const answered = await Promise.all(
      examples.map(async (example) => {
        const path = example.path.replace(WITH_SAMPLES, version).replace(BEFORE_SAMPLES, before);
        return { ...example, path, answer: await fetchAnswer(`${address}${path}`, key) };
      }),
    );
    return {
      examples: answered,
      exampleVersion: version,
      emptyVersion: before,
      exampleRelease: entries[0]?.releaseId ?? '',
    };
  } finally {
    await server.stop();
    await closeService(service);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fetchAnswer(url: string, key: string): Promise<unknown> {
  const answer = await fetch(url, { headers: { 'X-API-Key': key } });
  if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
  return answer.json();
}
