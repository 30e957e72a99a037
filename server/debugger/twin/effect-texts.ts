import type { FrameEnd } from '../../evm/interpreter/execution';
import type { FrameContext } from '../../evm/interpreter/frame';
import type { EmittedLog } from '../../evm/interpreter/world';

/** Bytes that are shown of data: a word and a selector. */
const SHOWN = 36;

export const isSameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && Buffer.compare(one, other) === 0;

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function dataText(data: Uint8Array): string {
  if (data.length === 0) return 'no data';
  const isLong = data.length > SHOWN;
  return `data 0x${hexOf(data.subarray(0, SHOWN))}${isLong ? `… (${data.length} bytes)` : ''}`;
}

export function callText({ kind, codeAddress, value, input }: FrameContext): string {
  const paid = value > 0n && kind !== 'DELEGATECALL' ? ` with ${value} wei` : '';
  if (kind === 'CREATE' || kind === 'CREATE2') return `a ${kind} of ${codeAddress}${paid}`;
  return `a ${kind} of ${codeAddress}${paid} and ${dataText(input)}`;
}

/** The whole log, which is compared by it. */
export const logText = ({ address, topics, data }: EmittedLog): string =>
  `a log of ${address} with topics ${topics.map((one) => `0x${one.toString(16)}`).join(', ') || 'none'} and data 0x${hexOf(data)}`;

export function endText({ kind, output, reason }: FrameEnd): string {
  if (kind === 'halted') return `an end by ${reason ?? 'a halt'}`;
  return `${kind === 'returned' ? 'a return' : 'a revert'} with ${dataText(output)}`;
}

export const slotText = (
  { slot, isTransient }: { slot: bigint; isTransient: boolean },
  value: bigint,
): string =>
  `0x${value.toString(16)} in ${isTransient ? 'transient ' : ''}slot 0x${slot.toString(16)}`;
