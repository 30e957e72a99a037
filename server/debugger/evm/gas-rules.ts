import type { Hardfork } from '../../api/config';
import { isSince } from '../../rules/hardfork-order';

/** What instructions cost and which rules hold, by hardfork. Gas. */
export interface GasRules {
  readonly hardfork: Hardfork;
  readonly sload: number;
  readonly balance: number;
  readonly extCode: number;
  readonly extCodeHash: number;
  readonly call: number;
  readonly selfdestruct: number;
  readonly expByte: number;
  /** Accounts and slots cost by whether they were accessed before (EIP-2929). */
  readonly isWarmth: boolean;
  /** How SSTORE is charged. */
  readonly sstore: 'simple' | 'eip1283' | 'eip2200' | 'eip2929';
  readonly clearRefund: number;
  /** All but one 64th is passed to calls (EIP-150). */
  readonly is63of64: boolean;
  /** Empty accounts are not part of the state (EIP-161). */
  readonly isEmptyGone: boolean;
  /** Calls to delegated accounts execute the code of the delegate (EIP-7702). */
  readonly delegates: boolean;
  readonly initCodeWord: number;
}

export const COLD_ACCOUNT = 2_600;
export const WARM_ACCESS = 100;
export const COLD_SLOT = 2_100;
export const CALL_STIPEND = 2_300;
export const CALL_VALUE = 9_000;
export const NEW_ACCOUNT = 25_000;
export const CODE_DEPOSIT = 200;

const at = (hardfork: Hardfork, steps: readonly (readonly [Hardfork, number])[]): number =>
  steps.findLast(([first]) => isSince(hardfork, first))?.[1] ?? 0;

export function gasRules(hardfork: Hardfork): GasRules {
  const since = (first: Hardfork): boolean => isSince(hardfork, first);
  return {
    hardfork,
    sload: at(hardfork, [
      ['frontier', 50],
      ['tangerine', 200],
      ['istanbul', 800],
    ]),
    balance: at(hardfork, [
      ['frontier', 20],
      ['tangerine', 400],
      ['istanbul', 700],
    ]),
    extCode: at(hardfork, [
      ['frontier', 20],
      ['tangerine', 700],
    ]),
    extCodeHash: at(hardfork, [
      ['constantinople', 400],
      ['istanbul', 700],
    ]),
    call: at(hardfork, [
      ['frontier', 40],
      ['tangerine', 700],
    ]),
    selfdestruct: at(hardfork, [['tangerine', 5_000]]),
    expByte: at(hardfork, [
      ['frontier', 10],
      ['spuriousDragon', 50],
    ]),
    isWarmth: since('berlin'),
    sstore: since('berlin')
      ? 'eip2929'
      : since('istanbul')
        ? 'eip2200'
        : hardfork === 'constantinople'
          ? 'eip1283'
          : 'simple',
    clearRefund: since('london') ? 4_800 : 15_000,
    is63of64: since('tangerine'),
    isEmptyGone: since('spuriousDragon'),
    delegates: since('prague'),
    initCodeWord: since('shanghai') ? 2 : 0,
  };
}

/** Of an account that was not accessed before, or of one that was (EIP-2929). */
export const accountAccess = (isCold: boolean): number => (isCold ? COLD_ACCOUNT : WARM_ACCESS);

/** Of all memory up to a number of words (yellow paper, appendix H). */
export const memoryGas = (words: number): number => 3 * words + Math.floor((words * words) / 512);

export const wordsIn = (bytes: number): number => Math.ceil(bytes / 32);

interface StoreCost {
  gas: number;
  refund: number;
}

/**
 * SSTORE without the cost of a cold slot: EIP-2200 and its predecessors and successors.
 * @param original value before the transaction
 */
export function storeCost(
  { sstore, clearRefund }: GasRules,
  { original, current, value }: { original: bigint; current: bigint; value: bigint },
): StoreCost {
  if (sstore === 'simple') {
    if (current === 0n && value !== 0n) return { gas: 20_000, refund: 0 };
    return { gas: 5_000, refund: current !== 0n && value === 0n ? clearRefund : 0 };
  }
  const access = { eip1283: 200, eip2200: 800, eip2929: WARM_ACCESS }[sstore];
  const reset = sstore === 'eip2929' ? 5_000 - COLD_SLOT : 5_000;
  if (current === value) return { gas: access, refund: 0 };
  if (current === original) {
    if (original === 0n) return { gas: 20_000, refund: 0 };
    return { gas: reset, refund: value === 0n ? clearRefund : 0 };
  }
  let refund = 0;
  if (original !== 0n) {
    if (current === 0n) refund -= clearRefund;
    else if (value === 0n) refund += clearRefund;
  }
  if (value === original) refund += (original === 0n ? 20_000 : reset) - access;
  return { gas: access, refund };
}
