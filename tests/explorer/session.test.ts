// What the explorer asks, and when: again after trouble, pages where rows are shown, and what a visitor changes.

import { ServiceClient } from '../../explorer/requests/client';
import type { Wait } from '../../explorer/session/asking';
import { KEY_NAME, Session, type Surroundings } from '../../explorer/session/session';
import { TablePages } from '../../explorer/session/table-pages';
import { withFilter, type ExplorerState } from '../../explorer/state/state';
import { facetsAnswer, FakeService, jsonAnswer, settle } from '../fixtures/explorer-services';

describe('the pages of the table', () => {
  const page = (total: number, version: string) => (): Response => {
    const headers = { 'X-Total-Count': String(total), 'Data-Version': version };
    return new Response(`A\r\n${Array.from({ length: 100 }, (_, index) => index).join('\r\n')}\r\n`, { headers });
  };
  const question = { kind: 'series', filters: {}, order: '' } as const;
  const pagesOf = (service: FakeService, waits: (() => void)[] = []): TablePages => {
    const client = new ServiceClient('', () => '', service.send);
    const pages = new TablePages(client, (_, act) => {
      waits.push(act);
      return () => {
        if (waits.includes(act)) waits.splice(waits.indexOf(act), 1);
      };
    });
    pages.turnTo(question);
    return pages;
  };

  test('are asked for once, where rows are shown', async () => {
    const service = new FakeService().answer(page(1000, 'v1'));
    const pages = pagesOf(service);
    pages.need(150, 210);
    pages.need(150, 210);
    await settle();
    pages.need(150, 210);
    expect(service.sent.map(({ url }) => /StartIndex=\d+/.exec(url)?.[0])).toEqual([
      'StartIndex=100',
      'StartIndex=200',
    ]);
    expect(pages.current.value.total).toBe(1000);
    expect([pages.current.value.rowAt(99), pages.current.value.rowAt(207)]).toEqual([undefined, ['7']]);
  });

  test('of another data version take the place of all former ones', async () => {
    const service = new FakeService().answer(page(1000, 'v1'), page(900, 'v2'));
    const pages = pagesOf(service);
    pages.need(0, 10);
    await settle();
    pages.need(500, 510);
    await settle();
    expect(pages.current.value.total).toBe(900);
    expect(pages.current.value.rowAt(0)).toBeUndefined();
  });

  test('in trouble are asked for again when their time has come, and not before', async () => {
    const waits: (() => void)[] = [];
    const service = new FakeService().answer(jsonAnswer({}, 503), page(5, 'v1'));
    const pages = pagesOf(service, waits);
    pages.need(0, 10);
    await settle();
    pages.need(0, 10);
    await settle();
    expect(pages.current.value.trouble).toEqual({ kind: 'busy', seconds: 5 });
    expect(service.sent).toHaveLength(1);
    waits[0]?.();
    await settle();
    expect(pages.current.value).toMatchObject({ total: 5, trouble: undefined });
  });
});

test('a page of the table that does not come is given up, and asked for again when somebody says so', async () => {
  const waits: (() => void)[] = [];
  const signals: (AbortSignal | null | undefined)[] = [];
  const client = new ServiceClient(
    ...(['', () => ''] as const),
    (_, { signal }) =>
      new Promise((__, reject) => {
        signals.push(signal);
        signal?.addEventListener('abort', () => {
          reject(new Error('aborted'));
        });
      }),
  );
  const pages = new TablePages(client, (_, act) => {
    waits.push(act);
    return () => undefined;
  });
  pages.turnTo({ kind: 'series', filters: {}, order: '' });
  pages.need(0, 10);
  expect(pages.current.value.isSlow).toBe(false);
  waits[0]?.();
  expect(pages.current.value.isSlow).toBe(true);
  waits[1]?.();
  await settle();
  expect(pages.current.value).toMatchObject({ isSlow: false, trouble: { kind: 'silent', seconds: 45 } });
  pages.again();
  expect(pages.current.value.trouble).toBeUndefined();
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]);
});

describe('a session', () => {
  /** Has a key, and notes what is kept. */
  const storageWith = (key: string, stored: string[]): Surroundings['storage'] => ({
    getItem: (name) => (name === KEY_NAME ? key : null),
    setItem: (_, text) => stored.push(text),
  });

  function open(service: FakeService, more: Partial<Surroundings> = {}) {
    const shown: string[] = [];
    const stored: string[] = [];
    const session = new Session({
      ...{ base: '', send: service.send, query: '?view=table&State=UT', wait: () => () => undefined },
      showQuery: (query, how) => shown.push(`${how} ${query}`),
      storage: storageWith('wdk_kept', stored),
      ...more,
    });
    session.start();
    return { session, shown, stored };
  }

  const withCounty = (state: ExplorerState): ExplorerState => withFilter(state, 'County', ['Cache']);

  test('asks once for each change that matters, and writes each into the address', async () => {
    const service = new FakeService().answer(facetsAnswer(3));
    const { session, shown } = open(service);
    await settle();
    const first = service.sent.length;
    session.change(withCounty);
    session.change(withCounty);
    await settle();
    expect(service.sent.slice(first).map(({ url }) => url)).toEqual([
      expect.stringMatching(/^\/v1\/SiteAllocationAmounts\/Facets\?State=UT&County=Cache&Facet=State&/),
    ]);
    expect(shown).toEqual(['push view=table&State=UT&County=Cache']);
    session.change((state) => ({ ...state, record: 4 }), 'replace');
    await settle();
    expect(service.sent).toHaveLength(first + 1);
    session.showAddress('?view=table&State=UT');
    await settle();
    expect(session.state.value.filters).toEqual({ State: ['UT'] });
    expect(service.sent).toHaveLength(first + 2);
  });

  test('has no total while the answer is not to the filters that are shown, and one while a group is opened', async () => {
    const problem = { errors: [{ parameter: 'SearchGeometry', message: 'names no county', value: 'county:UT/Cahce' }] };
    let reply = facetsAnswer(3);
    const { session } = open(new FakeService().answer(() => reply()));
    await settle();
    expect(session.total.value).toBe(3);
    session.toggleFacet('AllocationTypeCV');
    expect(session.total.value).toBe(3);
    await settle();
    reply = jsonAnswer(problem, 400);
    session.change((state) => withFilter(state, 'SearchGeometry', ['county:UT/Cahce']));
    expect(session.total.value).toBeUndefined();
    await settle();
    expect([session.total.value, session.trouble.value?.kind]).toEqual([undefined, 'refused']);
  });

  test('counts the values of the legend of the map with the facets, though its group is closed', async () => {
    const service = new FakeService().answer(facetsAnswer(3));
    const { session } = open(service, { query: '?colour=AllocationTypeCV' });
    await settle();
    const asked = (): number =>
      service.sent.filter(({ url }) => url.endsWith('&Facet=AllocationTypeCV&Facet=OrganizationUUID')).length;
    expect(asked()).toBe(1);
    session.change((state) => ({ ...state, view: 'table' }));
    await settle();
    expect(asked()).toBe(1);
    expect(service.sent.filter(({ url }) => url.includes('/Facets'))).toHaveLength(2);
  });

  test('asks nothing without a key where one is needed, and then with it', async () => {
    const service = new FakeService().answer(facetsAnswer(3));
    const stored: string[] = [];
    const { session, shown } = open(service, { storage: storageWith('', stored) });
    await settle();
    expect(service.sent).toEqual([]);
    session.useKey(' wdk_mine ');
    await settle();
    expect(service.sent.length).toBeGreaterThan(0);
    for (const { url, headers } of service.sent) {
      expect(headers['X-API-Key']).toBe('wdk_mine');
      expect(url).not.toContain('wdk_mine');
    }
    expect(stored).toEqual(['wdk_mine']);
    expect(shown).toEqual([]);
  });

  test('says that the panel of a site waits for an answer that does not come, and asks again when it is told to', () => {
    const waits: { readonly milliseconds: number; readonly act: () => void }[] = [];
    const service = new FakeService();
    const sites: (AbortSignal | null | undefined)[] = [];
    const send: Surroundings['send'] = (url, options) => {
      if (url.includes('sites/items/')) sites.push(options.signal);
      return url.includes('sites/items/') ? new Promise<Response>(() => undefined) : service.send(url, options);
    };
    const wait: Wait = (milliseconds, act) => {
      waits.push({ milliseconds, act });
      return () => undefined;
    };
    const { session } = open(service, { send, wait, query: '?kind=series&view=table' });
    const former = waits.length;
    session.change((state) => ({ ...state, place: 'ORG_1~SITE_1' }));
    expect(sites).toHaveLength(1);
    waits
      .slice(former)
      .find(({ milliseconds }) => milliseconds === 45_000)
      ?.act();
    expect(session.feature.current.value.trouble).toEqual({ kind: 'silent', seconds: 45 });
    session.askAgain();
    expect(sites.map((signal) => signal?.aborted)).toEqual([true, false]);
  });
});
