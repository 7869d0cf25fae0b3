// A form that ends early releases its slot, so that its key can send another form (D76).

import { BodyIncompleteError } from '../../shared/http/pipeline/body-stream';
import { receiveSubmission } from '../../shared/http/v1/submission-body';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const folder = createTemporaryFolder();
const PART = '--b\r\nContent-Disposition: form-data; name="f"; filename="sites.csv"\r\n\r\nSite';

async function* sendThenFail(): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(Buffer.from(PART));
  throw new BodyIncompleteError();
}

async function* sendHalf(): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(Buffer.from(PART));
}

test.each([
  ['the client disconnects in the middle of a file', sendThenFail],
  ['the last file has no end boundary', sendHalf],
])(
  'a form is refused if %s',
  async (_, streamBody) => {
    const headers = new Headers({ 'content-type': 'multipart/form-data; boundary=b' });
    expect(await receiveSubmission({ headers, streamBody }, folder, 1_000_000)).toMatchObject({
      status: expect.any(Number),
    });
  },
  5_000,
);
