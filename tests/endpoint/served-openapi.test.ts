// GET /openapi.json describes the service that sends it.

import { withInstantKeys } from '../fixtures/key-requests';
import { siteAmountsSubmission } from '../fixtures/submission';
import { createLoadedService } from '../fixtures/test-service';

const site = createLoadedService(siteAmountsSubmission);

interface Served {
  readonly paths: Readonly<Record<string, object>>;
  readonly tags: readonly { readonly name: string }[];
  readonly components: { readonly parameters: Readonly<Record<string, { readonly example: string }>> };
}

async function readDocument(service = site.service): Promise<Served> {
  const { json } = await site.getFrom(service, '/openapi.json');
  return json as Served;
}

test('lists the operations on keys only if self-service keys are on', async () => {
  const isOfKeys = (path: string): boolean => path.startsWith('/v1/Keys/');
  const without = await readDocument();
  const withKeys = await readDocument(withInstantKeys(site.service));
  expect(Object.keys(without.paths).filter(isOfKeys)).toEqual([]);
  expect(Object.keys(withKeys.paths).filter(isOfKeys)).not.toEqual([]);
  expect(withKeys.tags.length).toBe(without.tags.length + 1);
});

test.each(['DataVersion', 'ChangedSince'])('the example of %s names a version that the service has', async (name) => {
  const { components } = await readDocument();
  const { status } = await site.get(`/v1/SiteVariableAmounts?${name}=${components.parameters[name]?.example}`);
  expect(status).toBe(200);
});
