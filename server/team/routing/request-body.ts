import type { IncomingMessage } from 'node:http';
import { LIMITS } from '../../api/limits';

/** The body of a request that is passed on. A short one can be sent again; a longer one streams, and is sent once. */
export class RequestBody {
  #isUsed = false;

  private constructor(
    private readonly request: IncomingMessage,
    /** The whole body, if it is short. */
    readonly bytes: Buffer | undefined,
  ) {}

  /** @throws Error if the client disconnects */
  static of(request: IncomingMessage): Promise<RequestBody> {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    const of = (bytes: Buffer | undefined): RequestBody => new RequestBody(request, bytes);
    if (coding !== undefined || Number(length ?? 0) > LIMITS.repeatedBody) {
      return Promise.resolve(of(undefined));
    }
    return length === undefined ? Promise.resolve(of(Buffer.alloc(0))) : bytesOf(request).then(of);
  }

  /** A body that was read. */
  static ofText(request: IncomingMessage, text: string): RequestBody {
    return new RequestBody(request, Buffer.from(text));
  }

  /** Whether it can be sent, for the first time or again. */
  get isAvailable(): boolean {
    return this.bytes !== undefined || !this.#isUsed;
  }

  /** Value of the header Content-Length, in bytes; undefined for a body that is not counted, or is sent at once. */
  get length(): string | undefined {
    return this.bytes === undefined ? this.request.headers['content-length'] : undefined;
  }

  /** What is sent. A body that is still with the client is not read before there is a connection. */
  content(): Buffer | AsyncIterable<Buffer> {
    return this.bytes ?? this.#stream();
  }

  async *#stream(): AsyncGenerator<Buffer, void, undefined> {
    this.#isUsed = true;
    try {
      yield* this.request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    } finally {
      // The client can send its next request.
      this.request.resume();
    }
  }
}

function bytesOf(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [first] = chunks;
      resolve(chunks.length === 1 && first ? first : Buffer.concat(chunks));
    });
    const fail = (error?: Error): void => {
      reject(error ?? new Error('the client has disconnected'));
    };
    request.on('error', fail);
    request.on('close', () => {
      if (!request.complete) fail();
    });
  });
}
