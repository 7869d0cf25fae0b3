// The part of /submit that checks and sends submissions (D76), depending on the settings.

import { withSubmissions } from '../fixtures/submission-requests';
import { createTestService } from '../fixtures/test-service';

const world = createTestService();

test.each([
  ['off', false, false],
  ['check', true, false],
  ['submit', true, true],
] as const)(
  'with SUBMISSIONS_HTTP=%s, the page can check: %s, and send: %s',
  async (submissionsHttp, checks, sends) => {
    const { status, text, headers } = await world.getFrom(withSubmissions(world, { submissionsHttp }), '/submit', {});
    expect(status).toBe(200);
    expect(text.includes('id="check"')).toBe(checks);
    expect(text.includes('name="send"')).toBe(sends);
    expect(text.includes('id="sent"')).toBe(sends);
    expect(text.includes('submit.mjs')).toBe(checks);
    expect(headers['Content-Security-Policy']).toContain("script-src 'self'");
  },
);

test('the files of the page are served', async () => {
  for (const name of ['submit.css', 'submit.mjs']) {
    expect(await world.get(`/docs/${name}`, {})).toMatchObject({ status: 200 });
  }
});
