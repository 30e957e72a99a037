import type { Log } from '../../../extension/editor/log';
import type { SecretStore } from '../../../extension/editor/secrets';

export const silentLog: Log = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** The secret storage that the windows of one editor share. */
export class MemorySecretStore implements SecretStore {
  readonly entries = new Map<string, string>();
  readonly #listeners = new Set<(event: { key: string }) => void>();

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.entries.get(key));
  }

  store(key: string, value: string): Promise<void> {
    this.entries.set(key, value);
    for (const listener of this.#listeners) listener({ key });
    return Promise.resolve();
  }

  readonly onDidChange = (listener: (event: { key: string }) => void): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
}
