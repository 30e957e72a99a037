import type { Network } from '../../analysis/ports';
import type { Address } from '../../api/primitives';
import { RpcError, settledOneByOne, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import { NO_ACCOUNT } from '../../evm/interpreter/world';
import type { NamedTest } from './forge-output';
import type { ForkPoint } from './forked-state';
import type { TestState } from './test-state';

/** What reads of state before a test are answered with: no node has it, but that of the chain which it runs on a fork of. */
class TestStateClient implements RpcClient {
  constructor(
    private readonly state: TestState,
    private readonly fork: ForkPoint | undefined,
  ) {}

  async request(
    method: string,
    params: readonly unknown[],
    options?: Parameters<RpcClient['request']>[2],
  ): Promise<unknown> {
    const own = this.#answer(method, params);
    if (own !== undefined) return own;
    if (this.fork) return this.fork.network.rpc.request(method, this.#onFork(params), options);
    throw new RpcError(-32_601, `a test has no ${method}`);
  }

  requestAll(calls: readonly RpcCall[]): Promise<PromiseSettledResult<unknown>[]> {
    return settledOneByOne(this, calls);
  }

  /** @returns undefined: the test has it not @throws RpcError */
  #answer(method: string, [address, slot]: readonly unknown[]): string | undefined {
    if (!STATE.has(method)) return undefined;
    const { prestate, uncertain } = this.state;
    const account = prestate.accounts.get(String(address).toLowerCase());
    const value = account?.storage.get(method === 'eth_getStorageAt' ? BigInt(String(slot)) : 0n);
    const isKnown = method === 'eth_getStorageAt' ? value !== undefined : account !== undefined;
    if (!isKnown && this.fork) return undefined;
    if (!isKnown && uncertain !== undefined) {
      throw new RpcError(-32_000, `the state before the test is not known: ${uncertain}`);
    }
    const { balance, nonce, code } = account ?? NO_ACCOUNT;
    switch (method) {
      case 'eth_getBalance':
        return toQuantity(balance);
      case 'eth_getTransactionCount':
        return toQuantity(nonce);
      case 'eth_getCode':
        return `0x${Buffer.from(code).toString('hex')}`;
      default:
        return toWord(value ?? 0n);
    }
  }

  /** Blocks of the test are on no chain: those of the fork have the state. */
  #onFork(params: readonly unknown[]): readonly unknown[] {
    const number = this.fork?.block.number;
    return params.map((one, index) => (index > 0 && index === params.length - 1 ? number : one));
  }
}

const STATE = new Set([
  'eth_getBalance',
  'eth_getTransactionCount',
  'eth_getCode',
  'eth_getStorageAt',
]);

/**
 * The chain of a test, which exists only while forge executes it.
 * @param key of its own, because caches use it
 * @param fork its contracts have the names and sources of the chain
 */
export function testNetwork(
  key: string,
  state: TestState,
  { named, fork }: { named: NamedTest; fork: ForkPoint | undefined },
): Network {
  const given = Object.entries(named.test.labeled_addresses);
  const labels: Record<Address, string> = { ...fork?.network.labels };
  for (const [address, label] of given) labels[address.toLowerCase() as Address] = label;
  return {
    ...fork?.network,
    key,
    chain: fork?.network.chain ?? key,
    chainId: state.chainId,
    nativeSymbol: fork?.network.nativeSymbol ?? 'ETH',
    labels,
    rpc: new TestStateClient(state, fork),
    // Its state does not change any more.
    replayable: true,
  };
}
