// Entry point of the thread in which RecordBuilderThread runs a RecordBuilder.

import { parentPort, workerData } from 'node:worker_threads';
import type { BuilderRequest } from './builder-thread';
import { RecordBuilder, type RecordBuilderInput } from './record-builder';

const builder = new RecordBuilder(workerData as RecordBuilderInput); // Only RecordBuilderThread starts this thread.

// An exception becomes an error event of the thread.
parentPort?.on('message', (request: BuilderRequest) => {
  const answer = answerTo(request);
  // Columns are handed over, not copied.
  const memory = Object.values(answer ?? {}).flatMap((value) => (ArrayBuffer.isView(value) ? [value.buffer] : []));
  parentPort?.postMessage(answer, memory as ArrayBuffer[]); // No memory of the builder is shared.
});

function answerTo({ method, input }: BuilderRequest): object | undefined {
  switch (method) {
    case 'buildPlaces':
      return builder.buildPlaces(input);
    case 'build':
      return builder.build(input);
    case 'finish':
      return builder.finish(input);
    case 'nextPostings':
      return builder.nextPostings();
  }
}
