import type { ReadState } from '../../port/read-state';
import { Unavailable } from '../../port/unavailable';
import type { State } from '../values/state';

/** The state of a chain between transactions, as expressions read it. */
export const asState = (chain: ReadState): State => ({
  get machine(): never {
    throw new Unavailable('the state of a chain has no memory');
  },
  get frame(): never {
    throw new Unavailable('the state of a chain has no call data');
  },
  storage: (address, slot) => chain.storage(address, slot),
  account: (address) => chain.account(address),
  transient: () => 0n,
  notePending: () => {
    // Nothing is pending between transactions.
  },
});
