import type { Address } from '../../api/primitives';
import { isSince, type ExecutedHardfork } from '../../evm/forms/hardfork-order';

/** Caller of the system's own calls (EIP-4788), and emitter of transfer logs (EIP-7708). */
export const SYSTEM_ADDRESS: Address = `0x${'f'.repeat(39)}e`;

/** Withdrawal requests (EIP-7002) and consolidation requests (EIP-7251). */
const PRAGUE: readonly Address[] = [
  '0x00000961ef480eb55e80d19ad83579a64c007002',
  '0x0000bbddc7ce488642fb579f8b00f3a590007251',
];
/** Deposits and exits of builders (EIP-8282), where the test networks of November 2026 have them. */
const AMSTERDAM: readonly Address[] = [
  '0x0000bff46984e3725691fa540a8c7589300d8282',
  '0x000064d678505ad48f8ccb093bc65613800e8282',
];

/** Contracts that the system calls at the end of every block, in this order: their storage changes. */
export function requestContracts(hardfork: ExecutedHardfork): readonly Address[] {
  if (!isSince(hardfork, 'prague')) return [];
  return isSince(hardfork, 'amsterdam') ? PRAGUE.concat(AMSTERDAM) : PRAGUE;
}
