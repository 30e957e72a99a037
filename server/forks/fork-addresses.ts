import { createHash } from 'node:crypto';

/** What the secrets of forks' addresses open. Keyed by their digests: how long a look-up takes tells nothing of a secret. */
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

const digest = (secret: string): string => createHash('sha256').update(secret).digest('hex');
