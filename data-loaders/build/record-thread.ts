// The thread in which `ThreadedMaker` has a RecordMaker at work.

import { parentPort, workerData } from 'node:worker_threads';
import { RecordMaker, type MakerInput } from './record-maker';
import type { MakerQuestion } from './threaded-maker';

const maker = new RecordMaker(workerData as MakerInput); // Of ThreadedMaker alone, as the questions.

// A failure is an error event of the thread.
parentPort?.on('message', (question: MakerQuestion) => {
  if (question.kind === 'finish') {
    parentPort?.postMessage(maker.finish(question.lookups));
    return;
  }
  const made = maker.make(question.rows);
  parentPort?.postMessage(made, [made.texts.buffer, made.ends.buffer, made.fingerprints.buffer]);
});
