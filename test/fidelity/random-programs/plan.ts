import { Wallet, ZeroAddress, type Authorization } from 'ethers';
import type { Address } from '../../../server/api/primitives';
import type { PlannedAccount, PlannedHardfork, PlannedTransaction } from '../reference/plan';
import { toWord } from '../../../server/evm/forms/quantity';
import { deploying } from '../assembler';
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
  gasLimits: readonly number[] = [60_000, 200_000, 500_000],
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
        gasLimit: random.pick(gasLimits),
      },
    };
  });
}

/** The same with creations, values for new accounts, access lists and authorizations. */
export function randomTransactions(
  random: Random,
  count: number,
  nonces: Map<string, number>,
  gasLimits: readonly number[],
): PlannedTransaction[] {
  return randomCalls(random, count, nonces, gasLimits).map(({ wallet, transaction }) => {
    const kind = random.number(6);
    if (kind === 0) {
      const data = deploying(randomProgram(random, 'amsterdam'));
      const init = random.once(2) ? data : randomProgram(random, 'amsterdam');
      return { wallet, transaction: { ...transaction, to: null, data: init } };
    }
    if (kind === 1) {
      const to = `0x${random
        .number(1 << 30)
        .toString(16)
        .padStart(40, '0')}`;
      return { wallet, transaction: { ...transaction, to, value: 1n } };
    }
    if (kind === 2) {
      const storageKeys = Array.from({ length: random.number(4) }, (_, slot) =>
        toWord(BigInt(slot)),
      );
      const accessList = [{ address: random.pick(PROGRAMS), storageKeys }];
      return { wallet, transaction: { ...transaction, type: 1, accessList } };
    }
    if (kind > 3) return { wallet, transaction };
    const authorizationList = Array.from({ length: 1 + random.number(3) }, () =>
      randomAuthorization(random, nonces),
    );
    const to = random.once(2) ? random.pick(AUTHORITIES).address : transaction.to!;
    return { wallet, transaction: { ...transaction, type: 4, authorizationList, to } };
  });
}

/** Without ether at the start. */
const AUTHORITIES = Array.from(
  { length: 3 },
  (_, i) => new Wallet(`0x${(i + 1).toString(16).padStart(64, '8')}`),
);

/** Some have a wrong nonce, those of a sender always: its next transactions would have one as well. */
function randomAuthorization(random: Random, nonces: Map<string, number>): Authorization {
  const who = random.pick(random.once(6) ? SENDERS : AUTHORITIES);
  const known = nonces.get(who.address) ?? 0;
  const nonce = known + (SENDERS.includes(who) ? 9 : random.pick([0, 0, 0, 1]));
  if (nonce === known) nonces.set(who.address, known + 1);
  const address = random.pick([...PROGRAMS, ZeroAddress]);
  return who.authorizeSync({ address, chainId: 1, nonce });
}
