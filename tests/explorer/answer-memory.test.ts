// The answers that the explorer remembers: the same request is sent once while the data stay the same.

import { AnswerMemory } from '../../explorer/requests/answer-memory';
import type { Fetch } from '../../explorer/requests/client';

const MINUTE = 60_000;

interface Sent {
  readonly url: string;
  readonly signal: AbortSignal | null | undefined;
  readonly answer: (text: string, version?: string, status?: number) => void;
  readonly fail: () => void;
}

function openMemory() {
  const sent: Sent[] = [];
  const clock = { now: 0 };
  const send: Fetch = (url, { signal }) =>
    new Promise((resolve, reject) => {
      const answer: Sent['answer'] = (text, version = 'v1', status = 200) => {
        const headers = version === '' ? {} : { 'Data-Version': version };
        resolve(new Response(status === 204 ? null : text, { status, headers }));
      };
      sent.push({
        url,
        signal,
        answer,
        fail: () => {
          reject(new TypeError('failed to fetch'));
        },
      });
    });
  const memory = new AnswerMemory(send, () => clock.now);
  const ask = async (url: string, key = 'wdk_1', signal?: AbortSignal): Promise<string> => {
    const response = await memory.send(url, { headers: { 'X-API-Key': key }, signal: signal ?? null });
    return `${response.status} ${await response.text()}`;
  };
  const askAndAnswer = async (url: string, text: string, version?: string, status?: number): Promise<string> => {
    const before = sent.length;
    const asked = ask(url);
    if (sent.length > before) sent.at(-1)?.answer(text, version, status);
    return asked;
  };
  return { sent, clock, ask, askAndAnswer };
}

test('sends the same request once, even while its answer is pending', async () => {
  const { sent, ask, askAndAnswer } = openMemory();
  const both = [ask('/a'), ask('/a')];
  expect(sent).toHaveLength(1);
  sent[0]?.answer('1');
  expect(await Promise.all(both)).toEqual(['200 1', '200 1']);
  expect(await askAndAnswer('/a', '2')).toBe('200 1');
  expect(await askAndAnswer('/b', '3')).toBe('200 3');
  expect(sent.map(({ url }) => url)).toEqual(['/a', '/b']);
});

test('remembers an answer without content, such as an empty tile', async () => {
  const { sent, askAndAnswer } = openMemory();
  expect(await askAndAnswer('/tile', '', 'v1', 204)).toBe('204 ');
  expect(await askAndAnswer('/tile', '', 'v1', 204)).toBe('204 ');
  expect(sent).toHaveLength(1);
});

test('forgets all answers when a new answer has another data version', async () => {
  const { sent, askAndAnswer } = openMemory();
  await askAndAnswer('/a', 'old');
  await askAndAnswer('/b', 'new', 'v2');
  expect(await askAndAnswer('/a', 'new', 'v2')).toBe('200 new');
  expect(await askAndAnswer('/b', 'newer', 'v2')).toBe('200 new');
  expect(sent).toHaveLength(3);
});

test.each([401, 410, 429])('forgets all answers after a %d, so that the page learns why', async (status) => {
  const { askAndAnswer } = openMemory();
  await askAndAnswer('/a', 'old');
  await askAndAnswer('/b', 'refused', '', status);
  expect(await askAndAnswer('/a', 'refused', '', status)).toBe(`${status} refused`);
});

test.each([400, 404, 503])('keeps its answers after a %d', async (status) => {
  const { askAndAnswer } = openMemory();
  await askAndAnswer('/a', 'old');
  await askAndAnswer('/b', 'refused', '', status);
  expect(await askAndAnswer('/a', 'new')).toBe('200 old');
});

test('repeats a request after some minutes, so that an open page shows new publishes', async () => {
  const { clock, askAndAnswer } = openMemory();
  await askAndAnswer('/a', 'old');
  clock.now = 4 * MINUTE;
  expect(await askAndAnswer('/a', 'new', 'v2')).toBe('200 old');
  clock.now = 6 * MINUTE;
  expect(await askAndAnswer('/a', 'new', 'v2')).toBe('200 new');
});

test('does not reuse answers for another key, answers without a data version, or refusals', async () => {
  const { sent, ask, askAndAnswer } = openMemory();
  await askAndAnswer('/a', '1');
  const other = ask('/a', 'wdk_2');
  sent.at(-1)?.answer('2');
  expect(await other).toBe('200 2');
  for (const [version, status] of [
    ['', 200],
    ['v1', 429],
  ] as const) {
    await askAndAnswer(`/${status}`, 'first', version, status);
    expect(await askAndAnswer(`/${status}`, 'second', version, status)).toBe(`${status} second`);
  }
});

test.each(['/v1/Sites?DataVersion=v0', '/v1/Sites?State=UT&DataVersion=v0', '/v1/SiteVariableAmounts/Export?State=UT'])(
  'passes %s through each time, and keeps the other answers',
  async (url) => {
    const { sent, askAndAnswer } = openMemory();
    await askAndAnswer('/a', '1');
    await askAndAnswer(url, 'first', 'v0');
    expect(await askAndAnswer(url, 'second', 'v0')).toBe('200 second');
    expect(await askAndAnswer('/a', '2')).toBe('200 1');
    expect(sent).toHaveLength(3);
  },
);

test('drops the oldest answers when it holds too many bytes', async () => {
  const { askAndAnswer } = openMemory();
  const text = 'x'.repeat(400_000);
  for (let index = 0; index < 25; index++) await askAndAnswer(`/${index}`, `${index}${text}`);
  expect(await askAndAnswer('/24', 'again')).toBe(`200 24${text}`);
  expect(await askAndAnswer('/0', 'again')).toBe('200 again');
});

test('a request continues if one of its callers aborts, and is aborted with its last caller', async () => {
  const { sent, ask } = openMemory();
  const first = new AbortController();
  const second = new AbortController();
  const outcomes = [ask('/a', 'wdk_1', first.signal), ask('/a', 'wdk_1', second.signal)].map((answer) =>
    answer.catch((error: unknown) => (error as Error).name),
  );
  first.abort();
  expect(sent[0]?.signal?.aborted).toBe(false);
  second.abort();
  expect(sent[0]?.signal?.aborted).toBe(true);
  expect(await Promise.all(outcomes)).toEqual(['AbortError', 'AbortError']);
  const again = ask('/a');
  expect(sent).toHaveLength(2);
  sent[1]?.answer('1');
  expect(await again).toBe('200 1');
});

test('passes on a failure of the network, and sends the request again the next time', async () => {
  const { sent, ask, askAndAnswer } = openMemory();
  const failing = ask('/a');
  sent[0]?.fail();
  await expect(failing).rejects.toThrow('failed to fetch');
  expect(await askAndAnswer('/a', '1')).toBe('200 1');
});
