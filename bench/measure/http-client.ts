// The client for sequential requests: Node's own, over one open connection, with the whole answer in memory at the end,
// like a user's program. The floor is measured with the same client.

import { Agent, request } from 'node:http';
import { type MeasuredServer, type Question, type TimedAnswer, TimingClient } from './timing-client';

export class HttpClient extends TimingClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly server: MeasuredServer) {
    super();
  }

  ask({ method, path, headers }: Question): Promise<TimedAnswer> {
    const started = performance.now();
    const options = { agent: this.agent, method: method ?? 'GET', headers: { ...this.server.headers, ...headers } };
    return new Promise((resolve, reject) => {
      const outgoing = request(new URL(path, this.server.origin), options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const body = Buffer.concat(chunks);
          const milliseconds = performance.now() - started;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, milliseconds, body });
        });
        response.on('error', reject);
      });
      outgoing.on('error', reject);
      outgoing.end();
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
