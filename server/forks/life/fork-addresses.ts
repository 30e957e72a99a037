import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const PATH = /^\/rpc\/([0-9a-f]{32})\/?(?:\?.*)?$/;

/** The secret in the URL of a request to a fork's address; undefined for any other URL. */
export const secretInUrl = (url: string): string | undefined => PATH.exec(url)?.[1];

/** Maps secrets of forks' addresses to forks. The keys are digests, so that the time of a lookup reveals nothing about a secret. */
export class ForkAddresses<T> {
  readonly #byDigest = new Map<string, T>();

  add(secret: string, fork: T): void {
    this.#byDigest.set(digest(secret), fork);
  }

  remove(secret: string): void {
    this.#byDigest.delete(digest(secret));
  }

  find(secret: string): T | undefined {
    return this.#byDigest.get(digest(secret));
  }
}

/** Digests of the secrets that were used last: to compute one costs a tenth of a small request. */
const digests = new LRUCache<string, string>({ max: 1_000 });

function digest(secret: string): string {
  let known = digests.get(secret);
  if (known === undefined) {
    known = createHash('sha256').update(secret).digest('hex');
    digests.set(secret, known);
  }
  return known;
}
