import type { Address } from '../../api/primitives';
import type { Step } from '../call-frame';

const TRANSFER = '0xa9059cbb'; // transfer(address,uint256)
const TRANSFER_FROM = '0x23b872dd'; // transferFrom(address,address,uint256)

/** A call of `transfer` or `transferFrom` that succeeded. */
export interface TransferCall {
  readonly step: Step;
  readonly token: Address;
  readonly holder: Address;
  readonly recipient: Address;
  readonly amount: bigint;
  readonly isFrom: boolean;
}

/** Undefined for everything else. */
export function transferCall(step: Step): TransferCall | undefined {
  const { frame, log, reverted } = step;
  const { input, to: token, from, type } = frame;
  if (log || reverted || type !== 'CALL' || token === null) return undefined;
  const isFrom = input.length === 10 + 3 * 64;
  if (!isFrom && input.length !== 10 + 2 * 64) return undefined;
  if (!input.startsWith(isFrom ? TRANSFER_FROM : TRANSFER)) return undefined;
  const account = (index: number): Address => `0x${input.slice(34 + 64 * index, 74 + 64 * index)}`;
  return {
    step,
    token,
    holder: isFrom ? account(0) : from,
    recipient: account(isFrom ? 1 : 0),
    amount: BigInt(`0x${input.slice(-64)}`),
    isFrom,
  };
}
