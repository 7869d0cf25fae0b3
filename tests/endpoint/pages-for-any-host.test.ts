// Documents of features contain addresses on the requested host. Requests need no key, so an invented host must not
// make the service build a document again.

import { createMemory } from '../../shared/http/make-service';
import { createSearchCaches } from '../../shared/search/index/search-caches';
import type { Store } from '../../shared/store/port';
import { aggregatedAmount, allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { createLoadedService } from '../fixtures/test-service';

const service = createLoadedService({
  ...buildLookups(),
  'sites.csv': [{ SiteUUID: 'S1', Longitude: '-111', Latitude: '40' }],
  'reportingunits.csv': [{ ReportingUnitUUID: 'RU1', Geometry: 'POLYGON ((-111 40, -110 40, -110 41, -111 40))' }],
  'sitespecificamounts.csv': [siteAmount({ SiteUUID: 'S1' })],
  'aggregatedamounts.csv': [aggregatedAmount({ ReportingUnitUUID: 'RU1' })],
  'waterallocations.csv': [allocation({ AllocationNativeID: 'A', SiteUUID: 'S1' })],
});

const FEATURES = ['sites/items/ORG_1~S1', 'reporting-units/items/ORG_1~RU1', 'allocations/items/ORG_1~A'];
const FORMATS = ['html', 'json', 'jsonld'];

describe.each(FEATURES.flatMap((feature) => FORMATS.map((format) => `/ogc/collections/${feature}?f=${format}`)))(
  '%s',
  (path) => {
    test('contains addresses of the requested host', async () => {
      const { text } = await service.getWith(path, { host: 'first.example' });
      expect(text).toContain('http://first.example/ogc/');
      const other = await service.getWith(path, { host: 'second.example:8080' });
      expect(other.text).toBe(text.replaceAll('http://first.example', 'http://second.example:8080'));
      expect(text.replaceAll('first.example', '')).not.toMatch(/invalid|localhost/);
    });

    test('is written once for all hosts', async () => {
      const { store, getOpened } = countOpened();
      const memory = createMemory(8e6, Infinity);
      const counting = { ...service.service, ...memory, caches: createSearchCaches(8e6), store };
      await service.getFrom(counting, path, { host: 'first.example', 'x-api-key': service.key });
      const opened = getOpened();
      expect(opened).toBeGreaterThan(0);
      const { status } = await service.getFrom(counting, path, { host: 'second.example', 'x-api-key': service.key });
      expect({ status, opened: getOpened() }).toEqual({ status: 200, opened });
    });
  },
);

test('a withdrawn or unknown feature has addresses of the requested host', async () => {
  const { status, text } = await service.getWith('/ogc/collections/sites/items/ORG_1~none?f=html', {
    host: 'a.example',
  });
  expect(status).toBe(404);
  expect(text).not.toContain('.invalid');
});

/** The store, and the number of times that a release was opened. */
function countOpened(): { readonly store: Store; readonly getOpened: () => number } {
  let opened = 0;
  const openRelease = (releaseId: string): ReturnType<Store['openRelease']> => {
    opened++;
    return service.store.openRelease(releaseId);
  };
  const store = new Proxy(service.store, {
    get: (target, name) => {
      if (name === 'openRelease') return openRelease;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  return { store, getOpened: () => opened };
}
