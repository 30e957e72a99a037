import { join } from 'node:path';
import type { Logger } from 'pino';
import type { ForkStore, JournalStore } from '../forks/ports';
import type { AccessKeyStore, Clock, ProjectStore, UsageStore, UserStore } from '../projects/ports';
import { JsonAccountStore } from '../store/accounts/json-account-store';
import { JsonForkStore } from '../store/accounts/json-fork-store';
import { JsonStore } from '../store/accounts/json-store';
import { GivenAbiFiles } from '../store/given/abi-files';
import { LabelFiles } from '../store/given/label-files';
import type { GivenAbiStore, LabelStore } from '../store/given/records';
import { JournalFiles } from '../store/journal/journal-folder';

/** Everything that the service keeps and that cannot be regenerated. */
export interface Storage {
  accounts: UserStore & AccessKeyStore & ProjectStore & UsageStore;
  forks: ForkStore;
  journals: JournalStore;
  abis: GivenAbiStore;
  labels: LabelStore;
  /** Settles when all changes are durable. */
  close(): Promise<void>;
}

export interface StorageOptions {
  dataDir: string;
  clock: Clock;
  log: Logger;
}

/**
 * Opens the files of a data directory. The caller must hold its lock.
 * @throws Error with a message for the user
 */
export async function openStorage({ dataDir, clock, log }: StorageOptions): Promise<Storage> {
  const store = await JsonStore.open(dataDir, clock, (facts, text) => {
    log.error(facts, text);
  });
  return {
    accounts: new JsonAccountStore(store),
    forks: new JsonForkStore(store),
    journals: new JournalFiles(join(dataDir, 'forks'), log.warn.bind(log)),
    abis: new GivenAbiFiles(join(dataDir, 'abis'), log),
    labels: new LabelFiles(join(dataDir, 'labels'), log),
    close: () => store.settled(),
  };
}
