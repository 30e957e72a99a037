import type { Request, Response } from 'express';
import type { Envelope } from '../api/envelope';
import type { Progress } from '../api/progress';

/**
 * The answer of an operation as server-sent events (WHATWG HTML, "Server-sent events"): any number of `progress`, then one
 * `result`, which holds the envelope. Its HTTP status is 200 whatever the envelope says, as it is sent before the work is done.
 */
export class EventStream {
  private constructor(private readonly response: Response) {}

  /** @returns undefined for a client that wants plain JSON, which is everyone who does not ask for `text/event-stream` first */
  static open(request: Request, response: Response): EventStream | undefined {
    const types = ['application/json', 'text/event-stream'];
    if (request.accepts(types) !== 'text/event-stream') return undefined;
    response.set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    return new EventStream(response);
  }

  progress(progress: Progress): void {
    this.#write('progress', progress);
  }

  end(envelope: Envelope<unknown>): void {
    this.#write('result', envelope);
    if (!this.response.destroyed) this.response.end();
  }

  #write(event: string, data: unknown): void {
    if (this.response.destroyed || this.response.writableEnded) return;
    this.response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}
