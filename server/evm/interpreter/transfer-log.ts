import type { FrameContext } from './frame';
import { toBytes32 } from './word';
import type { EmittedLog } from './world';

/** EIP-7708. */
const SYSTEM_ADDRESS = `0x${'f'.repeat(39)}e`;
/** Transfer(address,address,uint256) */
const TRANSFER = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3efn;

/** The log of the ether that a call transfers (EIP-7708); undefined if it transfers none to another account. */
export const transferLog = ({
  kind,
  caller,
  address,
  value,
}: FrameContext): EmittedLog | undefined =>
  kind === 'DELEGATECALL' || kind === 'CALLCODE' ? undefined : logOf(caller, address, value);

/** The log of a transfer of ether; undefined for nothing, and for a transfer to the account itself. */
export function logOf(from: string, to: string, wei: bigint): EmittedLog | undefined {
  if (wei === 0n || from === to) return undefined;
  const topics = [TRANSFER, BigInt(from), BigInt(to)];
  return { address: SYSTEM_ADDRESS, topics, data: toBytes32(wei) };
}
