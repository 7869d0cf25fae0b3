// The connections of a service of several processes: the supervisor takes each and gives it to the process that has the
// fewest, unread. Until that process says that it has it, the supervisor keeps it, and gives it to another one when the
// process ends instead (ADR 0056).

import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import type { FromSupervisor } from './process-messages';
import { MAX_CONNECTIONS } from './server';

interface Taker {
  open: number;
  /** Connections that it was given and has not taken yet, by number. */
  readonly given: Map<number, Socket>;
}

export class Connections {
  private readonly takers = new Map<ChildProcess, Taker>();
  /** Connections that came while there was nobody to take them. */
  private readonly waiting: Socket[] = [];
  private numbers = 0;

  give(socket: Socket): void {
    // A client that goes away is for whoever answers it to notice.
    socket.on('error', () => undefined);
    const open = [...this.takers.values()].reduce((sum, taker) => sum + taker.open, this.waiting.length);
    if (open >= MAX_CONNECTIONS) socket.destroy();
    else this.giveToFreest(socket);
  }

  join(child: ChildProcess): void {
    this.takers.set(child, { open: 0, given: new Map() });
    for (const socket of this.waiting.splice(0)) this.giveToFreest(socket);
  }

  /** The process has ended, or takes nothing more. */
  leave(child: ChildProcess): void {
    const given = this.takers.get(child)?.given.values() ?? [];
    this.takers.delete(child);
    for (const socket of given) this.giveToFreest(socket);
  }

  taken(child: ChildProcess, number: number): void {
    const given = this.takers.get(child)?.given;
    // Only the descriptor of this process is closed; the connection lives on in the other.
    given?.get(number)?.destroy();
    given?.delete(number);
  }

  closed(child: ChildProcess): void {
    const taker = this.takers.get(child);
    if (taker !== undefined) taker.open--;
  }

  closeWaiting(): void {
    for (const socket of this.waiting.splice(0)) socket.destroy();
  }

  private giveToFreest(socket: Socket): void {
    const [freest] = [...this.takers].sort(([, a], [, b]) => rankOf(a) - rankOf(b));
    if (freest === undefined) {
      this.waiting.push(socket);
      return;
    }
    const [child, taker] = freest;
    const number = ++this.numbers;
    taker.open++;
    taker.given.set(number, socket);
    const message: FromSupervisor = { kind: 'connection', connection: number };
    // With a callback nothing is thrown when the process has just ended; its exit gives the socket to another.
    child.send(message, socket, { keepOpen: true }, () => undefined);
  }
}

/** A process that has not taken what it was given is busy: whoever is not comes before it. */
function rankOf({ given, open }: Taker): number {
  return given.size * MAX_CONNECTIONS + open;
}
