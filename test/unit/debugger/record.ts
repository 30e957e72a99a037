import { atOnce } from '../../../server/async/slices';
import type { Environment } from '../../../server/debugger/evm/environment';
import { Recording } from '../../../server/debugger/recording';

const SENDER = `0x${'a1'.repeat(20)}`;
export const CALLER = `0x${'c1'.repeat(20)}`;

interface Call {
  input?: Uint8Array;
  gas?: number;
}

/** Records a call of `CALLER`. @param codes by address */
export function recordCall(
  codes: Readonly<Record<string, Uint8Array>>,
  { input = new Uint8Array(0), gas = 1_000_000 }: Call = {},
): Recording {
  const empty = { balance: 0n, nonce: 0, code: new Uint8Array(0), storage: new Map() };
  const contracts = Object.entries(codes).map(
    ([address, code]) => [address, { ...empty, nonce: 1, code }] as const,
  );
  const accounts = new Map([...contracts, [SENDER, { ...empty, balance: 10n ** 20n }]]);
  const environment: Environment = {
    chainId: 1n,
    hardfork: 'prague',
    block: {
      ...{ number: 7n, timestamp: 1_700_000_000n, coinbase: SENDER, gasLimit: 30_000_000n },
      ...{ baseFee: 0n, random: 0n, blobBaseFee: 0n, hashes: new Map() },
    },
    transaction: {
      ...{ from: SENDER, to: CALLER, value: 0n, input, gas, gasPrice: 0n },
      ...{ accessList: [], blobHashes: [], delegations: [], intrinsicGas: 21_000 },
    },
    precompile: () => undefined,
  };
  const recording = new Recording(environment, { accounts });
  atOnce(recording.work());
  return recording;
}
