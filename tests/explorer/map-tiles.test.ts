// What the map tracks about its tiles: how many are pending, and by which values the legend counts points.

import { buildPointLegend, getPointCounts } from '../../explorer/map/point-legend';
import { serveTiles, toMapAddress } from '../../explorer/map/service-tiles';
import type { Fetch } from '../../explorer/requests/client';
import { Session } from '../../explorer/session/session';
import { answerWithJson, FakeService, settlePromises } from '../fixtures/explorer-services';

function openSession(send: Fetch, query: string): Session {
  const session = new Session({
    base: 'http://host',
    send,
    schedule: () => () => undefined,
    query,
    showQuery: () => undefined,
    storage: { getItem: () => 'key', setItem: () => undefined },
  });
  session.start();
  return session;
}

class TileError extends Error {
  constructor(
    readonly status: number,
    readonly statusText: string,
    readonly url: string,
    readonly body: Blob,
  ) {
    super(statusText);
  }
}

type Protocol = (request: { readonly url: string }, abort: AbortController) => Promise<{ readonly data: ArrayBuffer }>;

test.each([
  ['arrives', 200],
  ['is refused', 429],
])('a tile is pending until it %s', async (_, status) => {
  const service = new FakeService().answer(answerWithJson({ Organizations: [], Facets: [] }, status));
  const session = openSession(service.send, '');
  let fetchTile: Protocol | undefined;
  const library = {
    addProtocol: (_name: string, protocol: unknown) => {
      fetchTile = protocol as Protocol; // The type of the function as the library calls it.
    },
    AJAXError: TileError,
  };
  serveTiles(library, session, () => Promise.resolve()); // This stand-in for the library has only two of its members.
  const answer = fetchTile?.({ url: toMapAddress('http://host/tile') }, new AbortController());
  expect(session.tilesOnTheWay.value).toBe(1);
  await answer?.catch(() => undefined);
  expect(session.tilesOnTheWay.value).toBe(0);
});

test('the legend does not show figures of values that colored the map previously', async () => {
  const facets = {
    TotalCount: 5,
    Organizations: [],
    Facets: [
      { Name: 'UseCategoryCV', Values: [{ Value: 'Irrigation', Count: 5 }], MoreValues: 0 },
      { Name: 'AllocationLegalStatusCV', Values: [{ Value: 'Active', Count: 5 }], MoreValues: 0 },
    ],
  };
  const answer = answerWithJson(facets, 200, { 'Data-Version': 'v' });
  const noTile = new Response(null, { status: 204 });
  const session = openSession(
    (url) => Promise.resolve(url.includes('/tiles/') ? noTile.clone() : answer()),
    'kind=rights',
  );
  await settlePromises();
  expect(getPointCounts(session)).toMatchObject({ member: 'mainCategory' });
  session.setMap({ color: 'AllocationLegalStatusCV' });
  expect(getPointCounts(session)).toBeUndefined();
  const entries = buildPointLegend(session, false)?.map(({ text, count }) => ({ text, count }));
  expect(entries).toEqual([{ text: 'Active', count: undefined }]);
  await settlePromises();
  expect(getPointCounts(session)).toMatchObject({ member: 'status' });
});
