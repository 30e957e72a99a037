import {
  LIST_OF,
  type Failure,
  type PartId,
  type PartMessage,
  type PartRequest,
  type Parts,
} from '../../media/inspector/protocol/protocol';
import { ApiError } from '../../server/api/errors';
import type { PartLoader } from './load-part';
import { slicesOf } from './slices';

/** Slices in flight at once, so that the webview parses one slice while the next one is transferred. */
const PREFETCHED_PARTS = 2;

/** Converts an error for the webview. Errors that are not the service's own lose their details. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return { code: error.code, message: error.message };
  return { code: 0, message: error instanceof Error ? error.message : 'unknown error' };
}

interface Loading {
  value: Promise<Parts[PartId]>;
  abort: AbortController;
}

/**
 * One analysis of one inspector. Fetches parts on request, keeps them, and sends them in slices as fast as the webview accepts them.
 * A webview document that VS Code recreated receives the kept parts without another analysis.
 */
export class AnalysisSession {
  readonly #loader: PartLoader;
  readonly #post: (message: PartMessage) => void;
  readonly #loading = new Map<PartId, Loading>();
  readonly #deliveries = new Map<PartId, Iterator<string, void, undefined>>();

  constructor(loader: PartLoader, post: (message: PartMessage) => void) {
    this.#loader = loader;
    this.#post = post;
  }

  receive(request: PartRequest): void {
    switch (request.type) {
      case 'load':
        void this.#deliver(request.part);
        return;
      case 'reload':
        this.#loading.get(request.part)?.abort.abort();
        this.#loading.delete(request.part);
        void this.#deliver(request.part);
        return;
      case 'cancel':
        this.#loading.get(request.part)?.abort.abort();
        return;
      case 'taken':
        this.#next(request.part);
        return;
    }
  }

  /** Aborts all requests. Nothing is posted afterwards. */
  close(): void {
    this.#deliveries.clear();
    for (const { abort } of this.#loading.values()) abort.abort();
    this.#loading.clear();
  }

  async #deliver(part: PartId): Promise<void> {
    this.#deliveries.delete(part);
    const loading = this.#loading.get(part) ?? this.#load(part);
    try {
      const value = await loading.value;
      if (this.#loading.get(part) !== loading) return;
      const { [LIST_OF[part]]: items, ...head } = value as unknown as Record<string, unknown[]>;
      // The compiler does not see that part and head belong together.
      this.#post({ type: 'head', part, head, total: items?.length ?? 0 } as unknown as PartMessage);
      this.#deliveries.set(part, slicesOf(items ?? []));
      for (let count = 0; count < PREFETCHED_PARTS; count++) this.#next(part);
    } catch (error) {
      if (this.#loading.get(part) !== loading) return;
      this.#loading.delete(part);
      this.#post({ type: 'failed', part, failure: failureOf(error) });
    }
  }

  #load(part: PartId): Loading {
    const abort = new AbortController();
    const value = this.#loader.load(part, {
      signal: abort.signal,
      onProgress: (progress) => {
        if (!abort.signal.aborted) this.#post({ type: 'progress', part, progress });
      },
    });
    const loading = { value, abort };
    this.#loading.set(part, loading);
    return loading;
  }

  #next(part: PartId): void {
    const slice = this.#deliveries.get(part)?.next();
    if (slice?.done === false) this.#post({ type: 'slice', part, items: slice.value });
  }
}
