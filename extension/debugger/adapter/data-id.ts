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
  /** Whether it is a `bytes` or `string`. */
  isBytes?: boolean | undefined;
  transient?: boolean | undefined;
}

/** Where a variable is; undefined for one that is not in storage. */
export function slotOf(
  variable: Partial<Pick<Variable, 'type'>> &
    Pick<Variable, 'location' | 'address' | 'slot' | 'offset' | 'length' | 'slots'>,
): Slot | undefined {
  const { type, location, address, slot, offset, length, slots } = variable;
  if (address === undefined || slot === undefined) return undefined;
  const isBytes = type === 'bytes' || type === 'string';
  const place = {
    address: address as Address,
    slot,
    offset,
    length,
    slots,
    ...(isBytes && { isBytes }),
  };
  return location === 'transient' ? { ...place, transient: true } : place;
}

/** Names a place for a data breakpoint. */
export function dataIdOf(place: Slot): string {
  const { address, slot, offset, length, slots = 1, isBytes = false, transient } = place;
  const part = length === undefined ? '' : `:${offset ?? 0}:${length}`;
  const more = slots > 1 ? `*${slots}` : isBytes ? '*bytes' : '';
  return `${transient === true ? 'transient:' : ''}${address}:${slot}${part}${more}`;
}

export function readDataId(dataId: string): Slot | undefined {
  const [, transient, address, slot, offset, length, slots] =
    /^(transient:)?(0x[0-9a-f]{40}):(0x[0-9a-f]{64})(?::(\d+):(\d+))?(?:\*(\d+|bytes))?$/i.exec(
      dataId,
    ) ?? [];
  if (address === undefined || slot === undefined) return undefined;
  return {
    address: address as Address,
    slot,
    ...(Number(offset ?? 0) > 0 && { offset: Number(offset) }),
    ...(length !== undefined && { length: Number(length) }),
    ...(slots === 'bytes' && { isBytes: true }),
    ...(slots !== undefined && slots !== 'bytes' && { slots: Number(slots) }),
    ...(transient !== undefined && { transient: true }),
  };
}

/** Whether one word has all of a place: not the content of a text, nor several slots. */
export const isOneWord = ({ slots = 1, isBytes = false }: Slot): boolean => slots === 1 && !isBytes;
