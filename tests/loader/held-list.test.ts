// The service and an operator's list name what is held until somebody confirms it (D64).

import type { Report } from '../../data-loaders/format/report';
import { listReleases, publishedStates } from '../../data-loaders/manage-releases';
import { HealthMemory } from '../../shared/http/operating/health';
import { amounts, rights, sites } from '../fixtures/many-amounts';
import { servicesOfTests, type LoadOptions } from '../fixtures/test-service';
import type { Submission } from '../fixtures/submission';

const service = servicesOfTests(4);

function load(submission: Submission, options: LoadOptions = {}): Promise<Report> {
  return service().load(submission, { holdSubmissions: true, ...options });
}

describe('what is held, as /health and the list of releases name it', () => {
  const held = async (): Promise<readonly (readonly string[])[]> => {
    // A check stands for a second, and the clock of tests stands still.
    const asked = { ...service().service, health: new HealthMemory() };
    const { json } = await service().ask(asked, '/health', {});
    const list = await service().store.held.list();
    expect(json.held).toEqual(
      list.map(({ organizationUuid, dataSet, heldAt, reasons }) => ({ organizationUuid, dataSet, heldAt, reasons })),
    );
    return list.map(({ dataSet, reasons }) => [dataSet, ...reasons]);
  };

  test('is there from the load on, once, until this data set is published or sent as it was', async () => {
    await load(amounts(20));
    await load(amounts(20, 20), { isDryRun: true });
    expect(await held()).toEqual([]);
    await load(amounts(20, 20), { name: 'wrong' });
    const { confirmationCode } = await load(amounts(20, 20), { name: 'wrong again' });
    const code = String(confirmationCode);
    await load(rights(3));
    expect(await held()).toEqual([['SiteVariableAmounts', 'amounts-changed']]);
    expect(listReleases(publishedStates(await service().store.history(), await service().store.held.list()))).toContain(
      [
        'Held until somebody confirms it, and not published:',
        '  ORG_1 SiteVariableAmounts: amounts-changed, since 2026-01-02T03:04:05.000Z',
        '    submission: wrong again',
        `    confirmed by: ${code}`,
      ].join('\n'),
    );
    await load(amounts(20));
    expect(await held()).toEqual([]);
    await load(amounts(20, 20));
    await load(amounts(20, 20), { confirmationCode: code });
    expect(await held()).toEqual([]);
  });

  test('is there too where nothing was published before', async () => {
    await load(sites(12, () => ({ Longitude: '111.5' })));
    expect(await held()).toEqual([['SiteVariableAmounts', 'outside-states']]);
    expect(listReleases(publishedStates([], await service().store.held.list()))).toContain('no data set');
  });
});
