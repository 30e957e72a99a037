import type { Address } from '../../../server/api/primitives';
import type { Variable } from '../../../server/api/recording';

/** Storage slots of an account, or a part of one. */
export interface Slot {
  address: Address;
  slot: string;
  /** Bytes. */
  offset?: number | undefined;
  length?: number | undefined;
  /** From `slot` on; by default 1. */
  slots?: number | undefined;
  transient?: boolean | undefined;
}

/** Where a variable is; undefined for one that is not in storage. */
export function slotOf(
  variable: Pick<Variable, 'location' | 'address' | 'slot' | 'offset' | 'length' | 'slots'>,
): Slot | undefined {
  const { location, address, slot, offset, length, slots } = variable;
  if (address === undefined || slot === undefined) return undefined;
  const place = { address: address as Address, slot, offset, length, slots };
  return location === 'transient' ? { ...place, transient: true } : place;
}

/** Names a place for a data breakpoint. */
export function dataIdOf({ address, slot, offset, length, slots = 1, transient }: Slot): string {
  const part = length === undefined ? '' : `:${offset ?? 0}:${length}`;
  const more = slots > 1 ? `*${slots}` : '';
  return `${transient === true ? 'transient:' : ''}${address}:${slot}${part}${more}`;
}

export function readDataId(dataId: string): Slot | undefined {
  const [, transient, address, slot, offset, length, slots] =
    /^(transient:)?(0x[0-9a-f]{40}):(0x[0-9a-f]{64})(?::(\d+):(\d+))?(?:\*(\d+))?$/i.exec(dataId) ??
    [];
  if (address === undefined || slot === undefined) return undefined;
  return {
    ...{ address: address as Address, slot },
    ...(Number(offset ?? 0) > 0 && { offset: Number(offset) }),
    ...(length !== undefined && { length: Number(length) }),
    ...(slots !== undefined && { slots: Number(slots) }),
    ...(transient !== undefined && { transient: true }),
  };
}
