import type { Request, Response } from 'express';
import * as z from 'zod';
import type { Change } from '../api/changes';
import { ApiError } from '../api/errors';
import { LIMITS } from '../api/limits';
import { parseFields } from '../api/validation';
import type { AccessKeys } from '../projects/access-keys';
import { subjectOf, type ChangeFeed } from '../projects/change-feed';
import type { Quotas } from '../projects/quotas';
import type { LocalHandler } from './context';
import { openEventStream, writeEvent } from './event-stream';
import { authorize } from './operations';

const NO_FIELDS = z.strictObject({});
/** Repeated changes within this time are sent as one. */
const GATHER_MS = 50;
/** Interval of heartbeats. Proxies close a connection that is silent for much longer. */
const HEARTBEAT_MS = 25_000;

/** `GET /v1/events`: sends a user's changes as server-sent events, until the client or the service closes the stream. */
export class ChangeStreams {
  readonly #open = new Set<Response>();

  constructor(
    private readonly keys: AccessKeys,
    private readonly feed: ChangeFeed,
    private readonly heartbeatMs = HEARTBEAT_MS,
    /** Opening a stream counts as a request. */
    private readonly quotas?: Pick<Quotas, 'request'>,
  ) {}

  readonly handle: LocalHandler = async (request, response) => {
    response.locals.operation = 'watchChanges';
    const { user } = await authorize(request, this.keys, 'manage');
    parseFields(NO_FIELDS, request.query, 'query');
    await this.quotas?.request(user.userId, undefined);
    if (this.feed.count(user.userId) >= LIMITS.eventStreams) {
      const limit = `${LIMITS.eventStreams} event streams are open, which is the limit`;
      throw new ApiError('tooManyRequests', `${limit}; close one first`);
    }
    openEventStream(response);
    this.#open.add(response);
    const gathered = new GatheredChanges((change) => {
      writeEvent(response, 'change', change);
      return response.writableNeedDrain;
    });
    response.on('drain', () => {
      gathered.flush();
    });
    const unsubscribe = this.feed.subscribe(user.userId, (change) => {
      gathered.add(change);
    });
    const heartbeat = setInterval(() => {
      void this.#beat(request, response);
    }, this.heartbeatMs).unref();
    response.on('close', () => {
      clearInterval(heartbeat);
      unsubscribe();
      gathered.end();
      this.#open.delete(response);
    });
    writeEvent(response, 'ready', {});
  };

  /** Ends all streams. Clients reconnect once the service is running again. */
  close(): void {
    for (const response of this.#open) response.end();
  }

  /** Ends the stream if its key was revoked, or if the client did not read since the last heartbeat. */
  async #beat(request: Request, response: Response): Promise<void> {
    if (response.writableNeedDrain) {
      response.destroy();
      return;
    }
    try {
      await authorize(request, this.keys, 'manage');
      response.write(': alive\n\n');
    } catch (error) {
      // While the database does not answer, nobody knows whether the key is valid, and no change happens.
      if (error instanceof ApiError && error.kind === 'databaseUnavailable') {
        response.write(': alive\n\n');
      } else response.end();
    }
  }
}

/**
 * Changes that wait for one client. For each type and subject only the newest change is kept, so that their number is bounded however
 * slowly the client reads.
 */
class GatheredChanges {
  readonly #waiting = new Map<string, Change>();
  #timer: NodeJS.Timeout | undefined;
  #full = false;

  /** @param write returns true if the client must read before the next change */
  constructor(private readonly write: (change: Change) => boolean) {}

  add(change: Change): void {
    const key = subjectOf(change);
    this.#waiting.delete(key);
    this.#waiting.set(key, change);
    if (this.#full) return;
    this.#timer ??= setTimeout(() => {
      this.flush();
    }, GATHER_MS).unref();
  }

  flush(): void {
    this.end();
    this.#full = false;
    for (const [key, change] of this.#waiting) {
      this.#waiting.delete(key);
      this.#full = this.write(change);
      if (this.#full) return;
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
