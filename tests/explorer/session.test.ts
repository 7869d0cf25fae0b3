// What the explorer requests, and when: retries after failures, pages where rows are visible, and changes by a visitor.

import { AnswerMemory } from '../../explorer/requests/answer-memory';
import type { Schedule } from '../../explorer/session/live-query';
import { type Environment, Session } from '../../explorer/session/session';
import { KEY_NAME } from '../../explorer/session/tab-key';
import { withFilter } from '../../explorer/state/changes';
import type { ExplorerState } from '../../explorer/state/state';
import { answerWithFacets, answerWithJson, FakeService, settlePromises } from '../fixtures/explorer-services';

describe('a session', () => {
  /** A storage that contains a key and records what is stored. */
  const storageWith = (key: string, stored: string[]): Environment['storage'] => ({
    getItem: (name) => (name === KEY_NAME ? key : null),
    setItem: (_, text) => stored.push(text),
  });

  function open(service: FakeService, more: Partial<Environment> = {}) {
    const shown: string[] = [];
    const stored: string[] = [];
    const session = new Session({
      base: '',
      send: service.send,
      query: '?view=table&State=UT',
      schedule: () => () => undefined,
      showQuery: (query, how) => shown.push(`${how} ${query}`),
      storage: storageWith('wdk_kept', stored),
      ...more,
    });
    session.start();
    return { session, shown, stored };
  }

  const withCounty = (state: ExplorerState): ExplorerState => withFilter(state, 'County', ['Cache']);

  test('sends one request for each relevant change, and writes each change into the address', async () => {
    const service = new FakeService().answer(answerWithFacets(3));
    const { session, shown } = open(service);
    await settlePromises();
    const first = service.sent.length;
    session.change(withCounty);
    session.change(withCounty);
    await settlePromises();
    expect(service.sent.slice(first).map(({ url }) => url)).toEqual([
      expect.stringMatching(/^\/v1\/SiteAllocationAmounts\/Facets\?State=UT&County=Cache&Facet=State&/),
    ]);
    expect(shown).toEqual(['push view=table&State=UT&County=Cache']);
    session.change((state) => ({ ...state, columns: ['County'] }), 'replace');
    await settlePromises();
    expect(service.sent).toHaveLength(first + 1);
    session.showAddress('?view=table&State=UT');
    await settlePromises();
    expect(session.state.value.filters).toEqual({ State: ['UT'] });
    expect(service.sent).toHaveLength(first + 2);
  });

  test('has no total until the answer for the shown filters arrives, but keeps it while a group is opened', async () => {
    const problem = { errors: [{ parameter: 'SearchGeometry', message: 'names no county', value: 'county:UT/Cahce' }] };
    let reply = answerWithFacets(3);
    const { session } = open(new FakeService().answer(() => reply()));
    await settlePromises();
    expect(session.total.value).toBe(3);
    session.toggleFacet('AllocationTypeCV');
    expect(session.total.value).toBe(3);
    await settlePromises();
    reply = answerWithJson(problem, 400);
    session.change((state) => withFilter(state, 'SearchGeometry', ['county:UT/Cahce']));
    expect(session.total.value).toBeUndefined();
    await settlePromises();
    expect([session.total.value, session.trouble.value?.kind]).toEqual([undefined, 'refused']);
  });

  test('requests the visible table rows with some rows around them, and in other views only the open record', async () => {
    const sent: string[] = [];
    let total = 1000;
    let version = 'v1';
    const send: Environment['send'] = (url) => {
      const { pathname, searchParams } = new URL(url, 'http://host');
      const start = Number(searchParams.get('StartIndex'));
      const count = Number(searchParams.get('RecordCount'));
      if (pathname !== '/v1/SiteAllocationAmounts') return Promise.resolve(answerWithFacets(3)());
      sent.push(`${start} ${count}`);
      const headers = { 'X-Total-Count': String(total), 'Data-Version': version };
      const rows = Array.from({ length: count }, (_, index) => `${version} ${start + index}`);
      return Promise.resolve(new Response(`A\r\n${rows.join('\r\n')}\r\n`, { headers }));
    };
    const { session } = open(new FakeService(), { send });
    const see = async (first: number, last: number): Promise<void> => {
      session.visibleRows.value = [first, last];
      await settlePromises();
    };
    await settlePromises();
    expect(sent).toEqual([]);
    await see(0, 0);
    await see(0, 30);
    await see(151, 190);
    session.change((state) => ({ ...state, record: 149 }));
    expect(sent).toEqual(['0 150', '100 150']);
    const { records, record } = session;
    expect([records.fresh?.total, ...[99, 149].map((index) => records.fresh?.getRow(index))]).toEqual([
      1000,
      undefined,
      ['v1 149'],
    ]);
    // All parts of the page have the same data version.
    [total, version] = [900, 'v2'];
    await see(500, 510);
    expect([sent.slice(2), records.fresh?.total, records.fresh?.getRow(501)]).toEqual([
      ['450 150', '149 1'],
      900,
      ['v2 501'],
    ]);
    expect(record.fresh?.getRow(149)).toEqual(['v2 149']);
    session.visibleRows.value = undefined;
    expect(records.fresh).toBeUndefined();
  });

  test('shows the open record from the rows of the table after it has closed', async () => {
    const sent: string[] = [];
    const send: Environment['send'] = (url) => {
      const { pathname, searchParams } = new URL(url, 'http://host');
      if (pathname !== '/v1/SiteAllocationAmounts') return Promise.resolve(answerWithFacets(3)());
      const start = Number(searchParams.get('StartIndex'));
      const count = Number(searchParams.get('RecordCount'));
      sent.push(`${start} ${count}`);
      const rows = Array.from({ length: count }, (_, index) => String(start + index));
      const headers = { 'X-Total-Count': '1000', 'Data-Version': 'v1' };
      return Promise.resolve(new Response(`A\r\n${rows.join('\r\n')}\r\n`, { headers }));
    };
    const { session } = open(new FakeService(), { send: new AnswerMemory(send).send });
    session.visibleRows.value = [0, 30];
    await settlePromises();
    session.change((state) => ({ ...state, record: 2 }));
    session.visibleRows.value = undefined;
    await settlePromises();
    expect(sent).toEqual(['0 150']);
    expect(session.record.fresh?.getRow(2)).toEqual(['2']);
    // Other records are requested alone: those of other rows, and of another selection.
    session.change((state) => ({ ...state, record: 700 }));
    await settlePromises();
    session.change((state) => ({ ...state, filters: { State: ['OK'] }, record: 2 }));
    await settlePromises();
    expect(sent).toEqual(['0 150', '700 1', '2 1']);
  });

  test("counts the values in the map's legend with the facets, even if their group is closed", async () => {
    const service = new FakeService().answer(answerWithFacets(3));
    const { session } = open(service, { send: new AnswerMemory(service.send).send, query: '?colour=AllocationTypeCV' });
    await settlePromises();
    const asked = (): number =>
      service.sent.filter(({ url }) => url.endsWith('&Facet=AllocationTypeCV&Facet=OrganizationUUID')).length;
    expect(asked()).toBe(1);
    session.change((state) => ({ ...state, view: 'table' }));
    await settlePromises();
    expect(asked()).toBe(1);
    expect(service.sent.filter(({ url }) => url.includes('Facet='))).toHaveLength(2);
  });

  test('sends no requests until it has a key, if one is needed', async () => {
    const service = new FakeService().answer(answerWithFacets(3));
    const stored: string[] = [];
    const { session, shown } = open(service, { storage: storageWith('', stored) });
    await settlePromises();
    expect(service.sent).toEqual([]);
    session.useKey(' wdk_mine ');
    await settlePromises();
    expect(service.sent.length).toBeGreaterThan(0);
    for (const { url, headers } of service.sent) {
      expect(headers['X-API-Key']).toBe('wdk_mine');
      expect(url).not.toContain('wdk_mine');
    }
    expect(stored).toEqual(['wdk_mine']);
    expect(shown).toEqual([]);
  });

  test('says that the panel of a site is waiting for an answer, and can repeat the request', () => {
    const waits: { readonly milliseconds: number; readonly act: () => void }[] = [];
    const service = new FakeService();
    const sites: (AbortSignal | null | undefined)[] = [];
    const send: Environment['send'] = (url, options) => {
      if (url.includes('sites/items/')) sites.push(options.signal);
      return url.includes('sites/items/') ? new Promise<Response>(() => undefined) : service.send(url, options);
    };
    const wait: Schedule = (milliseconds, act) => {
      waits.push({ milliseconds, act });
      return () => undefined;
    };
    const { session } = open(service, { send, schedule: wait, query: '?kind=series&view=table' });
    const earlierCount = waits.length;
    session.change((state) => ({ ...state, place: 'ORG_1~SITE_1' }));
    expect(sites).toHaveLength(1);
    waits
      .slice(earlierCount)
      .find(({ milliseconds }) => milliseconds === 45_000)
      ?.act();
    expect(session.feature.state.value.trouble).toEqual({ kind: 'silent', seconds: 45 });
    session.retry();
    expect(sites.map((signal) => signal?.aborted)).toEqual([true, false]);
  });
});
