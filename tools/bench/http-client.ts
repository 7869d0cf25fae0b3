// Requests one after the other over one kept connection, timed from the first byte sent to the last byte read.

import { Agent, request } from 'node:http';

export interface TimedAnswer {
  readonly milliseconds: number;
  readonly bytes: number;
  readonly status: number;
  readonly body: Buffer;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

export function timedGet(url: string): Promise<TimedAnswer> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent }, (response) => {
      const pieces: Buffer[] = [];
      let bytes = 0;
      response.on('data', (piece: Buffer) => {
        pieces.push(piece);
        bytes += piece.length;
      });
      response.on('end', () => {
        const milliseconds = performance.now() - started;
        resolve({ milliseconds, bytes, status: response.statusCode ?? 0, body: Buffer.concat(pieces) });
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

export function closeClient(): void {
  agent.destroy();
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
