import type { Address } from '../../../server/api/primitives';
import type { Variable } from '../../../server/api/recording';

/** A storage slot of an account, or a part of one. */
interface Slot {
  address: Address;
  slot: string;
  /** Bytes. */
  offset?: number;
  length?: number;
}

/** Names the place of a variable for a data breakpoint; undefined for a variable that is not in storage. */
export function dataIdOf({
  address,
  slot,
  offset,
  length,
}: Pick<Variable, 'address' | 'slot' | 'offset' | 'length'>): string | undefined {
  if (address === undefined || slot === undefined) return undefined;
  const part = length === undefined ? '' : `:${offset ?? 0}:${length}`;
  return `${address}:${slot}${part}`;
}

export function readDataId(dataId: string): Slot | undefined {
  const [, address, slot, offset, length] =
    /^(0x[0-9a-f]{40}):(0x[0-9a-f]{64})(?::(\d+):(\d+))?$/i.exec(dataId) ?? [];
  if (address === undefined || slot === undefined) return undefined;
  return {
    ...{ address: address as Address, slot },
    ...(Number(offset ?? 0) > 0 && { offset: Number(offset) }),
    ...(length !== undefined && { length: Number(length) }),
  };
}
