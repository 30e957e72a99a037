import type { Address } from '../../../server/api/primitives';
import type { Variable } from '../../../server/api/recording';

/** A storage slot of an account. */
interface Slot {
  address: Address;
  slot: string;
}

/** Names the slot of a variable for a data breakpoint; undefined for a variable that is not in storage. */
export const dataIdOf = ({ address, slot }: Variable): string | undefined =>
  address === undefined || slot === undefined ? undefined : `${address}:${slot}`;

export function readDataId(dataId: string): Slot | undefined {
  const [, address, slot] = /^(0x[0-9a-f]{40}):(0x[0-9a-f]{64})$/i.exec(dataId) ?? [];
  if (address === undefined || slot === undefined) return undefined;
  return { address: address as Address, slot };
}
