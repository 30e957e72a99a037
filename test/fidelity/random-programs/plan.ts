import { Wallet } from 'ethers';
import type { Address } from '../../../server/api/primitives';
import type { PlannedAccount, PlannedHardfork, PlannedTransaction } from '../reference/plan';
import { PROGRAMS, randomProgram } from './program';
import type { Random } from './random';

const ETHER = 10n ** 18n;
const SENDERS = Array.from(
  { length: 4 },
  (_, i) => new Wallet(`0x${(i + 1).toString(16).padStart(64, '9')}`),
);

/** Programs with random code and some ether each, and senders with enough ether. */
export function randomAlloc(
  random: Random,
  hardfork: PlannedHardfork,
): Record<Address, PlannedAccount> {
  const alloc: Record<Address, PlannedAccount> = {};
  for (const program of PROGRAMS) {
    alloc[program] = { balance: 1000n, nonce: 1, code: randomProgram(random, hardfork) };
  }
  for (const { address } of SENDERS) {
    alloc[address.toLowerCase() as Address] = { balance: 100n * ETHER };
  }
  return alloc;
}

/** Random calls of the programs. @param nonces next nonces by address; updated */
export function randomCalls(
  random: Random,
  count: number,
  nonces: Map<string, number>,
): PlannedTransaction[] {
  return Array.from({ length: count }, () => {
    const wallet = random.pick(SENDERS);
    const nonce = nonces.get(wallet.address) ?? 0;
    nonces.set(wallet.address, nonce + 1);
    const data = `0x${random
      .number(1 << 30)
      .toString(16)
      .padStart(2 * random.pick([4, 32, 36]), '0')}`;
    return {
      wallet,
      transaction: {
        to: random.pick(PROGRAMS),
        value: BigInt(random.pick([0, 0, 3])),
        data,
        nonce,
        gasLimit: random.pick([60_000, 200_000, 500_000]),
      },
    };
  });
}
