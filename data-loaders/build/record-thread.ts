// Entry point of the thread in which ThreadedRecordBuilder runs a RecordBuilder.

import { parentPort, workerData } from 'node:worker_threads';
import { RecordBuilder, type RecordBuilderInput } from './record-builder';
import type { ThreadRequest } from './threaded-record-builder';

const builder = new RecordBuilder(workerData as RecordBuilderInput); // Only ThreadedRecordBuilder starts this thread.

// An exception becomes an error event of the thread.
parentPort?.on('message', (request: ThreadRequest) => {
  switch (request.kind) {
    case 'places': {
      const { texts, ends, digests, points, hashes, detailed, terms, termEnds, ...others } = builder.buildPlaces(
        request.batch,
      );
      const columns = { texts, ends, digests, points, hashes, detailed, terms, termEnds };
      const memory = Object.values(columns).map(({ buffer }) => buffer);
      parentPort?.postMessage({ ...columns, ...others }, [...memory, others.input]);
      break;
    }
    case 'build': {
      const built = builder.build(request.batch);
      const { measures, days, uses, own, timeframes } = built.values;
      const columns = [built.texts, built.ends, built.fingerprints, built.keyHashes];
      const memory = [...columns, measures, days, uses, own, timeframes].map(({ buffer }) => buffer);
      parentPort?.postMessage(built, [...memory, built.input]);
      break;
    }
    case 'finish':
      parentPort?.postMessage(builder.finish(request.lookupDigests));
      break;
    case 'postings': {
      const piece = builder.nextPostings();
      parentPort?.postMessage(piece, piece === undefined ? [] : [piece.bytes.buffer, piece.ends.buffer]);
    }
  }
});
