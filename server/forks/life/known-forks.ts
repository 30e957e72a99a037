import { ForkAddresses } from './fork-addresses';
import type { ManagedFork } from './managed-fork';

/** The forks that this process has loaded, by id and by the secret of their address. */
export class KnownForks {
  readonly #forks = new Map<string, ManagedFork>();
  readonly #addresses = new ForkAddresses<ManagedFork>();

  get(forkId: string): ManagedFork | undefined {
    return this.#forks.get(forkId);
  }

  bySecret(secret: string): ManagedFork | undefined {
    return this.#addresses.find(secret);
  }

  all(): ManagedFork[] {
    return [...this.#forks.values()];
  }

  /** Forks of a project, oldest first. */
  of(projectId: string): ManagedFork[] {
    return this.all()
      .filter(({ record }) => record.projectId === projectId)
      .sort((a, b) => Date.parse(a.record.createTime) - Date.parse(b.record.createTime));
  }

  add(fork: ManagedFork): void {
    this.#forks.set(fork.record.forkId, fork);
    this.#addresses.add(fork.record.secret, fork);
  }

  /** @returns whether the fork was there */
  remove({ record }: ManagedFork): boolean {
    this.#addresses.remove(record.secret);
    return this.#forks.delete(record.forkId);
  }

  /** Replaces the address of a fork. */
  readdress(fork: ManagedFork, secret: string): void {
    const { forkId } = fork.record;
    if (this.#forks.get(forkId) !== fork || fork.record.secret === secret) return;
    this.#addresses.remove(fork.record.secret);
    fork.setSecret(secret);
    this.#addresses.add(secret, fork);
    fork.announce();
  }
}
