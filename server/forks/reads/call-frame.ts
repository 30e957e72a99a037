import type { Hardfork } from '../../api/config';
import { isSince } from '../../ethereum/hardforks';

/** A call frame as in callTracer's result. Amounts are quantities. */
export interface CallFrame {
  type: string;
  from: string;
  to?: string;
  value?: string;
  gas: string;
  gasUsed: string;
  input: string;
  output?: string;
  error?: string;
  calls?: readonly CallFrame[];
}

/** Highest address of the precompiled contracts since a hardfork (execution-specs). */
const PRECOMPILES: readonly (readonly [Hardfork, number])[] = [
  ['prague', 0x11],
  ['cancun', 0xa],
  ['istanbul', 0x9],
  ['byzantium', 0x8],
  ['frontier', 0x4],
];
/** EIP-7951. */
const P256_VERIFY = 0x100n;

/** Whether a call went to a precompiled contract. */
export function isPrecompile({ to }: CallFrame, hardfork: Hardfork): boolean {
  if (to === undefined) return false;
  const address = BigInt(to);
  if (address === P256_VERIFY) return isSince(hardfork, 'osaka');
  const [, last] = PRECOMPILES.find(([since]) => isSince(hardfork, since)) ?? ['frontier', 4];
  return address > 0n && address <= BigInt(last);
}
