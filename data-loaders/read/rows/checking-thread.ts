// Entry point of the thread in which RowCheckers has the rows of large files checked.

import { parentPort } from 'node:worker_threads';
import { UnreadableFileError } from '../csv/csv-records';
import type { CheckedBatch } from './checked-batch';
import { LetterCases } from './letter-cases';
import { RowChecker } from './row-checker';
import type { CheckingAnswer, CheckingRequest } from './row-checkers';

class CheckingThread {
  private checker: RowChecker | undefined;

  take(request: CheckingRequest): void {
    if (request.kind === 'start') this.start(request);
    else {
      try {
        this.answer(request);
      } catch (error) {
        // Any other exception becomes an error event of the thread.
        if (!(error instanceof UnreadableFileError)) throw error;
        send({ kind: 'unreadable', message: error.message });
      }
    }
  }

  private start({ file, letterCases: saved }: Extract<CheckingRequest, { kind: 'start' }>): void {
    const letterCases = new LetterCases();
    letterCases.restore(saved);
    this.checker = new RowChecker(file, letterCases);
  }

  private answer(request: Exclude<CheckingRequest, { kind: 'start' }>): void {
    const { checker } = this;
    if (checker === undefined) throw new Error('no file was started');
    const { bytes, memory } = request;
    if (request.kind === 'finish') sendBatch(checker.finish(bytes, memory));
    else sendBatch(checker.take(Buffer.from(request.piece, 0, request.length), bytes, memory), request.piece);
  }
}

function sendBatch(batch: CheckedBatch, piece?: ArrayBuffer): void {
  const memory = [batch.texts.buffer, batch.textEnds.buffer];
  send({ kind: 'batch', batch, piece }, piece === undefined ? memory : [...memory, piece]);
}

function send(answer: CheckingAnswer, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(answer, transfer);
}

const thread = new CheckingThread();
parentPort?.on('message', (request: CheckingRequest) => {
  thread.take(request);
});
