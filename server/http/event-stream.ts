import type { Request, Response } from 'express';
import type { Envelope } from '../api/envelope';
import type { Progress } from '../api/progress';
import { writeJson } from './write-json';

/**
 * The answer of an operation as server-sent events (WHATWG HTML, "Server-sent events"): any number of `progress` events, then one `result`
 * event with the envelope. Its HTTP status is always 200, because it is sent before the work is done.
 */
export class EventStream {
  private constructor(private readonly response: Response) {}

  /** @returns undefined for a client that prefers plain JSON: every client that does not list `text/event-stream` first */
  static open(request: Request, response: Response): EventStream | undefined {
    const types = ['application/json', 'text/event-stream'];
    if (request.accepts(types) !== 'text/event-stream') return undefined;
    openEventStream(response);
    return new EventStream(response);
  }

  progress(progress: Progress): void {
    writeEvent(this.response, 'progress', progress);
  }

  async end(envelope: Envelope<unknown>): Promise<void> {
    if (!this.#isOpen()) return;
    this.response.write('event: result\ndata: ');
    await writeJson(this.response, envelope);
    if (this.#isOpen()) this.response.end('\n\n');
  }

  #isOpen(): boolean {
    return !this.response.destroyed && !this.response.writableEnded;
  }
}

/** Sends the headers of a stream of server-sent events. */
export function openEventStream(response: Response): void {
  response.set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
}

/** Writes one event. Does nothing if the client has disconnected. */
export function writeEvent(response: Response, name: string, data: unknown): void {
  if (response.destroyed || response.writableEnded) return;
  response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}
