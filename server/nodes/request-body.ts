import type { ClientRequest, IncomingMessage } from 'node:http';
import { LIMITS } from '../api/limits';

/** The body of a request that is passed on. A short one can be sent again; a longer one streams, and is sent once. */
export class RequestBody {
  #isUsed = false;

  private constructor(
    private readonly request: IncomingMessage,
    /** The whole body, if it is short. */
    readonly bytes: Buffer | undefined,
  ) {}

  /** @throws Error if the client disconnects */
  static async of(request: IncomingMessage): Promise<RequestBody> {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if (coding !== undefined || Number(length ?? 0) > LIMITS.repeatedBody) {
      return new RequestBody(request, undefined);
    }
    if (length === undefined) return new RequestBody(request, Buffer.alloc(0));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return new RequestBody(request, Buffer.concat(chunks));
  }

  /** A body that was read. */
  static ofText(request: IncomingMessage, text: string): RequestBody {
    return new RequestBody(request, Buffer.from(text));
  }

  /** Whether it can be sent, for the first time or again. */
  get isAvailable(): boolean {
    return this.bytes !== undefined || !this.#isUsed;
  }

  /** Headers that say how it is sent, besides the client's own. */
  get framing(): string[] {
    const { 'content-length': length, 'transfer-encoding': coding } = this.request.headers;
    // Text that was not UTF-8 has another length once it is read.
    if (this.bytes !== undefined && this.bytes.length > 0)
      return ['content-length', String(this.bytes.length)];
    if (coding !== undefined) return ['transfer-encoding', 'chunked'];
    return length === undefined ? [] : ['content-length', length];
  }

  sendTo(passed: ClientRequest): void {
    if (this.bytes !== undefined) {
      passed.end(this.bytes);
      return;
    }
    this.#isUsed = true;
    this.request.pipe(passed);
    this.request.on('close', () => {
      if (!this.request.complete) passed.destroy();
    });
  }
}
