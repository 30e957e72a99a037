import { RPC_CODES } from '../../api/rpc-codes';
import type { Fields } from '../../evm/forms/fields';
import { RpcError } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { RunningFork } from '../reads/running-fork';
import { simulate } from './simulate';

/** Accounts that nobody has: one with code that returns a balance, and one that calls it. */
const PROBE = `0x${'50726f6265'.padEnd(40, '0')}`;
const PROBER = `0x${'50726f626572'.padEnd(40, '0')}`;
const PROBE_GAS = 60_000n;

/** What is known of a call, in the form of `eth_simulateV1`. */
interface Outcome {
  readonly status?: string;
  readonly gasUsed?: string;
  readonly returnData?: string;
}

/** One block of calls, as in the first entry of `blockStateCalls`. */
interface BlockOfCalls {
  readonly blockOverrides: Fields;
  readonly calls: readonly Fields[];
}

/**
 * Balance of the maker of a simulated block before its first call and after each one. It is measured: the engine reports no transfer of a
 * self-destruction.
 * @param block as it was simulated, with its outcomes
 * @throws RpcError -32002 if the calls do something else when calls that read the balance are between them
 */
export async function makerBalances(
  fork: RunningFork,
  { blockOverrides, calls }: BlockOfCalls,
  simulated: Fields,
  state: unknown,
): Promise<bigint[]> {
  const { miner, baseFeePerGas = '0x0', gasLimit } = simulated;
  const maker = String(miner).slice(2).toLowerCase();
  const probeOf = (nonce: number): Fields => ({
    from: PROBER,
    to: PROBE,
    nonce: toQuantity(nonce),
    gas: toQuantity(PROBE_GAS),
    gasPrice: baseFeePerGas,
  });
  const limit = BigInt(gasLimit as string) + BigInt(calls.length + 1) * PROBE_GAS;
  const payload = {
    blockStateCalls: [
      {
        blockOverrides: { ...blockOverrides, gasLimit: toQuantity(limit) },
        stateOverrides: {
          [PROBE]: { code: `0x73${maker}3160005260206000f3` },
          [PROBER]: { balance: toQuantity(10n ** 30n) },
        },
        calls: [probeOf(0), ...calls.flatMap((call, index) => [call, probeOf(index + 1)])],
      },
    ],
    validation: true,
  };
  const blocks = (await simulate(fork, [payload, state])) as Fields[];
  const all = (blocks.at(-1)?.['calls'] ?? []) as readonly Outcome[];
  const before = simulated['calls'] as readonly Outcome[];
  const isSame = before.every((one, index) => {
    const again = all[2 * index + 1];
    return one.status === again?.status && one.gasUsed === again?.gasUsed;
  });
  const probes = all.filter((_, index) => index % 2 === 0);
  if (!isSame || probes.some(({ status }) => status !== '0x1')) {
    throw new RpcError(
      RPC_CODES.unavailable,
      'what the maker of the block gets cannot be measured: the transactions depend on the gas limit or on the calls between them',
    );
  }
  return probes.map(({ returnData = '0x0' }) => BigInt(returnData));
}
