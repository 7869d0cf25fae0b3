// Errors explain how to write what other services write differently (D71): names of parameters, lists and numbers.

import { oneAmount } from '../fixtures/handmade';
import { createLoadedService } from '../fixtures/test-service';

const service = createLoadedService(oneAmount);
const V1 = '/v1/SiteVariableAmounts';
const OGC = '/ogc/collections/site-amounts/items';

test.each<[string, string, string]>([
  [V1, 'limit=10', 'RecordCount'],
  [V1, '$top=10', 'RecordCount'],
  [V1, 'pageSize=10', 'RecordCount'],
  [V1, 'offset=10', 'StartIndex'],
  [V1, 'page=2', 'StartIndex'],
  [V1, 'sort=Amount', 'OrderBy'],
  [V1, 'bbox=-112,40,-111,41', 'SearchBoundary=bbox:'],
  [V1, 'Stat=UT', 'did you mean State?'],
  [OGC, 'startindex=10', 'offset'],
  [OGC, 'count=10', 'limit'],
  [V1, 'State[]=UT', 'write State=UT&State='],
  [V1, 'State[0]=UT', 'write State=UT&State='],
  [V1, 'State=UT,CO', 'write State=UT&State=CO'],
  [V1, 'State=UT;CO', 'write State=UT&State=CO'],
  [V1, 'State=UT|CO', 'write State=UT&State=CO'],
  [V1, 'State=["UT","CO"]', 'write State=UT&State=CO'],
  [OGC, 'State=UT,CO', 'write State=UT&State=CO'],
  [V1, 'StartIndex=1e%2B05', 'write 100000'],
  [V1, 'StartIndex=1e+05', 'write 100000'],
  [V1, 'StartIndex=100,000', 'write 100000'],
  [V1, 'StartIndex=10.0', 'write 10 '],
  [OGC, 'offset=1e+05', 'write 100000'],
])('%s?%s is a 400 that names %s', async (path, query, advice) => {
  const { status, json } = await service.get(`${path}?${query}`);
  expect(status).toBe(400);
  expect(json.errors[0].message).toContain(advice);
});

test.each([
  ['Sate', 'you cannot filter by Sate (did you mean State?); you can filter by '],
  ['amounts', 'you cannot filter by amounts (did you mean Amount?); you can filter by '],
  ['Elevation', 'you cannot filter by Elevation; you can filter by '],
])('a filter by %s is a 400 that lists the possible filters', async (property, sentence) => {
  const { status, json } = await service.get(`${OGC}?filter=${property}=1`);
  expect(status).toBe(400);
  expect(json.errors[0].message).toContain(sentence);
  expect(json.errors[0].message).toContain('TimeframeStart, ');
});

test.each(['callback=x', '_=1', 'lang=en', 'fields=Amount', 'skipGeometry=true', 'resulttype=hits'])(
  '%s gets no suggestion of an unrelated name',
  async (query) => {
    const { status, json } = await service.get(`${V1}?${query}`);
    expect(status).toBe(400);
    expect(json.errors[0].message).not.toContain('did you mean');
  },
);
