// The examples of the OpenAPI document: requests, and the answers of the local host to them over the samples.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpFunctions } from '../../functions/main';
import { closeService, createService } from '../../shared/http/make-service';
import { loadSamples } from '../../host/loading';
import * as operations from '../../shared/query/operations';
import { aggregatedAmounts, siteAllocationAmounts, siteVariableAmounts } from '../../shared/query/operations';
import { reportingUnits, sites } from '../../shared/query/operations';
import { readSettings } from '../../shared/settings';
import { makeKey } from '../../shared/access/access-keys';
import { startServer } from '../../host/server';

interface Example {
  readonly operation: operations.Operation;
  readonly name: string;
  readonly summary: string;
  readonly query: string;
}

/** The path has the query, and no key. */
export type AnsweredExample = Example & { readonly path: string; readonly answer: unknown };

/** Stand in a query for the data versions with the samples and before them. */
const [WITH_SAMPLES, BEFORE_SAMPLES] = ['{with}', '{before}'];

const examples: readonly Example[] = [
  {
    operation: siteVariableAmounts,
    name: 'gage',
    summary: 'Discharge at stream gages',
    query: 'SiteTypeCV=Stream+Gage&StartDate=2015-06-01&RecordCount=1',
  },
  {
    operation: siteVariableAmounts,
    name: 'pastTheEnd',
    summary: 'Past the end of the records',
    query: 'State=UT&StartIndex=1000000',
  },
  {
    operation: aggregatedAmounts,
    name: 'publicSupply',
    summary: 'Public water supply of counties',
    query: 'State=NM&BeneficialUseCV=Public+Water+Supply&EndDate=12/31/2000&RecordCount=1',
  },
  {
    operation: siteAllocationAmounts,
    name: 'oldRights',
    summary: 'Rights of the 19th century within a boundary',
    query: 'SearchGeometry=POLYGON((-105+37,-103+37,-103+38,-105+38,-105+37))&EndPriorityDate=1900-12-31&RecordCount=1',
  },
  {
    operation: operations.siteVariableAmountsTotals,
    name: 'byYear',
    summary: 'Amounts by year',
    query: 'SearchBoundary=state:UT&PODorPOUSite=POU&GroupBy=Year&RecordCount=2',
  },
  {
    operation: operations.aggregatedAmountsTotals,
    name: 'byUse',
    summary: 'Amounts of New Mexico by beneficial use',
    query: 'State=NM&GroupBy=BeneficialUseCV&RecordCount=2',
  },
  {
    operation: operations.siteAllocationAmountsTotals,
    name: 'byDecade',
    summary: 'Rights by the decade of their priority',
    query: 'GroupBy=PriorityDecade&RecordCount=2',
  },
  {
    operation: operations.siteVariableAmountsFacets,
    name: 'typesAndStates',
    summary: 'Types of sites, and states',
    query: 'EndDate=1990-12-31&Facet=SiteTypeCV&Facet=State',
  },
  {
    operation: operations.aggregatedAmountsFacets,
    name: 'uses',
    summary: 'Beneficial uses beside one that is chosen',
    query: 'BeneficialUseCV=Public+Water+Supply&Facet=BeneficialUseCV',
  },
  {
    operation: operations.siteAllocationAmountsFacets,
    name: 'statuses',
    summary: 'Legal statuses and uses of rights',
    query: 'Facet=AllocationLegalStatusCV&Facet=USGSCategoryNameCV',
  },
  {
    operation: sites,
    name: 'longSeries',
    summary: 'Sites with ten years or more of one variable',
    query: 'State=UT&MinimumYears=10&RecordCount=1',
  },
  {
    operation: reportingUnits,
    name: 'publicSupply',
    summary: 'Reporting units with amounts of public supply',
    query: 'State=NM&BeneficialUseCV=Public+Water+Supply&RecordCount=1',
  },
  ...operations.removedOperations.map((operation) => ({
    ...{ operation, name: 'betweenVersions', summary: 'What one version has and another one has not' },
    query: `Since=${WITH_SAMPLES}&DataVersion=${BEFORE_SAMPLES}&RecordCount=1`,
  })),
];

/** Answers the examples from the samples in a temporary store, which takes about a second. */
export async function answerExamples(): Promise<readonly AnsweredExample[]> {
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
  const { version } = await service.store.currentState();
  const server = await startServer(httpFunctions, service, settings);
  try {
    const address = `http://${settings.host}:${server.port}`;
    return await Promise.all(
      examples.map(async (example) => {
        const query = example.query.replace(WITH_SAMPLES, version).replace(BEFORE_SAMPLES, before);
        const path = `/${example.operation.route}?${query}`;
        return { ...example, query, path, answer: await answerOf(`${address}${path}`, key) };
      }),
    );
  } finally {
    await server.stop();
    await closeService(service);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function answerOf(url: string, key: string): Promise<unknown> {
  const answer = await fetch(url, { headers: { 'X-API-Key': key } });
  if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
  return answer.json();
}
