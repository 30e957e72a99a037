import { isSince, type ExecutedHardfork } from '../forms/hardfork-order';

/** What instructions cost and which rules hold, by hardfork. Gas. */
export interface GasRules {
  readonly hardfork: ExecutedHardfork;
  readonly sload: number;
  readonly balance: number;
  readonly extCode: number;
  /** Of EXTCODESIZE and EXTCODECOPY, besides the access of the account (EIP-8038). */
  readonly codeRead: number;
  readonly extCodeHash: number;
  readonly call: number;
  /** Of a call that transfers ether, with the stipend. */
  readonly callValue: number;
  /** Of a call that makes its account. */
  readonly newAccount: number;
  readonly create: number;
  readonly selfdestruct: number;
  /** Of a self-destruction that makes the account of its heir. */
  readonly newHeir: number;
  readonly expByte: number;
  /** Accounts and slots cost by whether they were accessed before (EIP-2929). */
  readonly isWarmth: boolean;
  readonly coldAccount: number;
  /** How SSTORE is charged. */
  readonly sstore: 'simple' | 'eip1283' | 'eip2200' | 'eip2929' | 'eip8038';
  /** What SSTORE costs more for a cold slot. */
  readonly coldStore: number;
  readonly clearRefund: number;
  /** All but one 64th is passed to calls (EIP-150). */
  readonly is63of64: boolean;
  /** Empty accounts are not part of the state (EIP-161). */
  readonly isEmptyGone: boolean;
  /** Calls to delegated accounts execute the code of the delegate (EIP-7702). */
  readonly delegates: boolean;
  readonly initCodeWord: number;
  readonly codeDepositByte: number;
  readonly codeDepositWord: number;
  /** Bytes; EIP-170 and EIP-7954. */
  readonly maxCode: number;
  /** Bytes; EIP-3860 and EIP-7954. */
  readonly maxInitCode: number;
  /** Gas for state, which is paid for apart (EIP-8037). */
  readonly state?: StateGas;
  /** Transfers of ether are logged (EIP-7708). */
  readonly logsTransfers: boolean;
  /** A contract that destroys itself for itself keeps its ether (EIP-8246). */
  readonly keepsEther: boolean;
}

/** EIP-8037. */
export interface StateGas {
  readonly account: number;
  readonly slot: number;
  readonly codeByte: number;
  /** Of a delegation (EIP-7702). */
  readonly delegation: number;
  /** Execution gas of the first write to the account of an authority (EIP-2780). */
  readonly accountWrite: number;
  /** Gas above this limit of a transaction is for state alone (EIP-7825). */
  readonly executionLimit: number;
}

const STATE_BYTE = 1_530;
const ACCOUNT_WRITE = 9_000;
const STATE_GAS: StateGas = {
  account: 120 * STATE_BYTE,
  slot: 64 * STATE_BYTE,
  codeByte: STATE_BYTE,
  delegation: 23 * STATE_BYTE,
  accountWrite: ACCOUNT_WRITE,
  executionLimit: 2 ** 24,
};

export const WARM_ACCESS = 100;
export const COLD_SLOT = 2_100;
export const CALL_STIPEND = 2_300;
/** Of the first change of a slot (EIP-8038). */
const STORAGE_WRITE = 10_000;

type Steps = readonly (readonly [ExecutedHardfork, number])[];

const at = (hardfork: ExecutedHardfork, steps: Steps): number =>
  steps.findLast(([first]) => isSince(hardfork, first))?.[1] ?? 0;

export function gasRules(hardfork: ExecutedHardfork): GasRules {
  const since = (first: ExecutedHardfork): boolean => isSince(hardfork, first);
  const of = (...steps: Steps): number => at(hardfork, steps);
  return {
    hardfork,
    sload: of(['frontier', 50], ['tangerine', 200], ['istanbul', 800]),
    balance: of(['frontier', 20], ['tangerine', 400], ['istanbul', 700]),
    extCode: of(['frontier', 20], ['tangerine', 700]),
    codeRead: of(['amsterdam', WARM_ACCESS]),
    extCodeHash: of(['constantinople', 400], ['istanbul', 700]),
    call: of(['frontier', 40], ['tangerine', 700]),
    callValue: of(['frontier', 9_000], ['amsterdam', ACCOUNT_WRITE + CALL_STIPEND]),
    newAccount: of(['frontier', 25_000], ['amsterdam', 0]),
    create: of(['frontier', 32_000], ['amsterdam', 12_000]),
    selfdestruct: of(['tangerine', 5_000]),
    newHeir: of(['tangerine', 25_000], ['amsterdam', ACCOUNT_WRITE]),
    expByte: of(['frontier', 10], ['spuriousDragon', 50]),
    isWarmth: since('berlin'),
    coldAccount: of(['berlin', 2_600], ['amsterdam', 3_000]),
    sstore: storeRule(hardfork),
    coldStore: of(['berlin', COLD_SLOT], ['amsterdam', COLD_SLOT - WARM_ACCESS]),
    clearRefund: of(['frontier', 15_000], ['london', 4_800], ['amsterdam', 11_616]),
    is63of64: since('tangerine'),
    isEmptyGone: since('spuriousDragon'),
    delegates: since('prague'),
    initCodeWord: since('shanghai') ? 2 : 0,
    codeDepositByte: of(['frontier', 200], ['amsterdam', 0]),
    codeDepositWord: of(['amsterdam', 6]),
    maxCode: since('spuriousDragon') ? of(['frontier', 24_576], ['amsterdam', 65_536]) : Infinity,
    maxInitCode: since('shanghai') ? of(['frontier', 49_152], ['amsterdam', 131_072]) : Infinity,
    ...(since('amsterdam') && { state: STATE_GAS }),
    logsTransfers: since('amsterdam'),
    keepsEther: since('amsterdam'),
  };
}

function storeRule(hardfork: ExecutedHardfork): GasRules['sstore'] {
  if (isSince(hardfork, 'amsterdam')) return 'eip8038';
  if (isSince(hardfork, 'berlin')) return 'eip2929';
  if (isSince(hardfork, 'istanbul')) return 'eip2200';
  return hardfork === 'constantinople' ? 'eip1283' : 'simple';
}

/** Of an account that was not accessed before, or of one that was (EIP-2929). */
export const accountAccess = ({ coldAccount }: GasRules, isCold: boolean): number =>
  isCold ? coldAccount : WARM_ACCESS;

/** Of all memory up to a number of words (yellow paper, appendix H). */
export const memoryGas = (words: number): number => 3 * words + Math.floor((words * words) / 512);

export const wordsIn = (bytes: number): number => Math.ceil(bytes / 32);

interface StoreCost {
  gas: number;
  refund: number;
}

interface SlotValues {
  /** Before the transaction. */
  readonly original: bigint;
  readonly current: bigint;
  readonly value: bigint;
}

/** SSTORE without the cost of a cold slot and the gas for state: EIP-2200 and its predecessors and successors. */
export function storeCost({ sstore, clearRefund }: GasRules, values: SlotValues): StoreCost {
  const { original, current, value } = values;
  if (sstore === 'simple') {
    if (current === 0n && value !== 0n) return { gas: 20_000, refund: 0 };
    return { gas: 5_000, refund: current !== 0n && value === 0n ? clearRefund : 0 };
  }
  const { access, set, reset } = storeParts(sstore);
  if (current === value) return { gas: access, refund: 0 };
  if (current === original) {
    if (original === 0n) return { gas: set, refund: 0 };
    return { gas: reset, refund: value === 0n ? clearRefund : 0 };
  }
  let refund = 0;
  if (original !== 0n) {
    if (current === 0n) refund -= clearRefund;
    else if (value === 0n) refund += clearRefund;
  }
  if (value === original) refund += (original === 0n ? set : reset) - access;
  return { gas: access, refund };
}

function storeParts(sstore: Exclude<GasRules['sstore'], 'simple'>): {
  /** Of a slot that does not change, or has changed before. */
  access: number;
  /** Of a slot that was empty. */
  set: number;
  /** Of a slot that had a value. */
  reset: number;
} {
  switch (sstore) {
    case 'eip1283':
      return { access: 200, set: 20_000, reset: 5_000 };
    case 'eip2200':
      return { access: 800, set: 20_000, reset: 5_000 };
    case 'eip2929':
      return { access: WARM_ACCESS, set: 20_000, reset: 5_000 - COLD_SLOT };
    case 'eip8038': {
      const first = WARM_ACCESS + STORAGE_WRITE;
      return { access: WARM_ACCESS, set: first, reset: first };
    }
  }
}
