import type { Cheat } from './cheatcodes';

interface Prank {
  /** Account whose calls another one seems to make. */
  readonly by: string;
  readonly depth: number;
  readonly sender: string;
  readonly isOnce: boolean;
}

/** Whose calls seem to be those of another account: `vm.prank` and `vm.startPrank` hold for calls of the same account at the same depth. */
export class Pranks {
  #open: Prank[] = [];

  /** Notes what a cheatcode begins or ends. @param depth of the call that uses it */
  note({ name, args }: Cheat, by: string, depth: number): void {
    if (name === 'stopPrank') this.#open = this.#open.filter((one) => one.depth !== depth);
    if (name !== 'prank' && name !== 'startPrank') return;
    const sender = String(args[0]).toLowerCase();
    this.#open = this.#open.filter((one) => one.depth !== depth);
    this.#open.push({ by, depth, sender, isOnce: name === 'prank' });
  }

  /** Who makes a call; undefined: the account itself. A prank of one call ends. */
  take(by: string, depth: number): string | undefined {
    const found = this.#open.find((one) => one.by === by && one.depth === depth);
    if (found?.isOnce === true) this.#open = this.#open.filter((one) => one !== found);
    return found?.sender;
  }
}
