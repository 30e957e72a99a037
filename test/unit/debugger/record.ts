import { atOnce } from '../../../server/kernel/async/slices';
import type { Environment } from '../../../server/evm/interpreter/environment';
import type { Prestate, PrestateAccount } from '../../../server/evm/interpreter/world';
import { Recording } from '../../../server/debugger/recording/recording';
import { precompilesOf } from '../../../server/evm/rules/precompiles';

export const SENDER = `0x${'a1'.repeat(20)}`;
export const CALLER = `0x${'c1'.repeat(20)}`;

export interface Call {
  input?: Uint8Array;
  gas?: number;
  value?: bigint;
  /** Of `CALLER`, before the transaction. */
  storage?: ReadonlyMap<bigint, bigint>;
  /** Default: there are none. */
  precompile?: Environment['precompile'];
  /** Default: there are none. */
  delegations?: Environment['transaction']['delegations'];
  /** The input is creation code. */
  isCreation?: boolean;
  hardfork?: Environment['hardfork'];
}

/** Records a call of `CALLER`, or a creation. @param codes by address */
export function recordCall(
  codes: Readonly<Record<string, Uint8Array>>,
  call: Call = {},
): Recording {
  const { environment, prestate } = inputsOf(codes, call);
  const recording = new Recording(environment, prestate);
  atOnce(recording.work());
  return recording;
}

/** What a call of `CALLER`, or a creation, is recorded from. @param codes by address */
export function inputsOf(
  codes: Readonly<Record<string, Uint8Array>>,
  {
    input = new Uint8Array(0),
    gas = 1_000_000,
    value = 0n,
    storage = new Map(),
    isCreation = false,
    hardfork = 'prague',
    delegations = [],
    precompile = () => undefined,
  }: Call = {},
): { environment: Environment; prestate: Prestate } {
  const accounts = new Map<string, PrestateAccount>();
  for (const [address, code] of Object.entries(codes)) {
    const own = address === CALLER ? storage : new Map<bigint, bigint>();
    const nonce = code.length === 0 ? 0 : 1;
    accounts.set(address, { balance: 0n, nonce, code, storage: own });
  }
  const nothing = { code: new Uint8Array(0), storage: new Map<bigint, bigint>() };
  accounts.set(SENDER, { balance: 10n ** 20n, nonce: 0, ...nothing });
  const environment: Environment = {
    chainId: 1n,
    hardfork,
    precompiles: precompilesOf(hardfork),
    block: {
      number: 7n,
      timestamp: 1_700_000_000n,
      coinbase: SENDER,
      gasLimit: 30_000_000n,
      baseFee: 0n,
      random: 0n,
      blobBaseFee: 0n,
      slot: 0n,
      hashes: new Map(),
    },
    transaction: {
      from: SENDER,
      to: isCreation ? null : CALLER,
      value,
      input,
      gas,
      gasPrice: 0n,
      accessList: [],
      blobHashes: [],
      delegations,
      intrinsicGas: 21_000,
    },
    precompile,
  };
  return { environment, prestate: { accounts } };
}
