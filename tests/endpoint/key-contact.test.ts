// Every document says where to get keys (SELF_SERVICE_KEYS, CONTACT).

import type { PageContent } from '../../shared/http/pipeline/service';
import { LeastRecentlyUsedCache } from '../../shared/values/least-recently-used-cache';
import { oneAmount } from '../fixtures/handmade';
import { withInstantKeys } from '../fixtures/key-requests';
import { createLoadedService } from '../fixtures/test-service';

const service = createLoadedService(oneAmount);

describe('the place to get keys', () => {
  // The organization in the data states no email address.
  const mail = 'help@example.org';
  const page = 'https://example.org/help';

  test.each([
    ['off', '', ['Ask the operator of the service for a key'], []],
    ['off', mail, ['Get a key from', mail], [{ hasEmail: `mailto:${mail}` }]],
    ['off', page, ['Get a key from', page], []],
    ['instant', '', ['/keys'], []],
    ['instant', mail, ['/keys', mail], [{ hasEmail: `mailto:${mail}` }]],
  ])(
    'is stated in every document with SELF_SERVICE_KEYS=%s and CONTACT=%j',
    async (kind, contact, parts, contactPoint) => {
      // Cached pages contain the settings of their service.
      const own = { ...service.service, contact, pages: new LeastRecentlyUsedCache<PageContent>(1_000_000) };
      const asked = kind === 'off' ? own : withInstantKeys(own);
      const answers = ['/', '/keys', '/v1/Inventory', '/openapi.json', '/data.json', '/ogc/conformance?f=html'];
      for (const path of answers) {
        const { text } = await service.getFrom(asked, path, {});
        for (const part of parts) expect([path, part, text.includes(part)]).toEqual([path, part, true]);
      }
      const { json } = await service.getFrom(asked, '/data.json', {});
      expect(json.dataset[0].contactPoint).toMatchObject(contactPoint);
      expect(json.dataset[0].contactPoint).toHaveLength(contactPoint.length);
    },
  );
});
