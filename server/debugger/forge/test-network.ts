import type { Network } from '../../analysis/ports';
import { RpcError, settledOneByOne, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import { NO_ACCOUNT } from '../../evm/interpreter/world';
import { CHAIN_ID, type TestState } from './test-state';

/** What reads of state before a test are answered with: there is no node that has it. */
class TestStateClient implements RpcClient {
  constructor(private readonly state: TestState) {}

  request(method: string, params: readonly unknown[]): Promise<unknown> {
    return Promise.resolve().then(() => this.#answer(method, params));
  }

  requestAll(calls: readonly RpcCall[]): Promise<PromiseSettledResult<unknown>[]> {
    return settledOneByOne(this, calls);
  }

  /** @throws RpcError */
  #answer(method: string, [address, slot]: readonly unknown[]): string {
    const { prestate, uncertain } = this.state;
    const account = prestate.accounts.get(String(address).toLowerCase());
    const value = account?.storage.get(method === 'eth_getStorageAt' ? BigInt(String(slot)) : 0n);
    const isKnown = method === 'eth_getStorageAt' ? value !== undefined : account !== undefined;
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
      case 'eth_getStorageAt':
        return toWord(value ?? 0n);
      default:
        throw new RpcError(-32_601, `a test has no ${method}`);
    }
  }
}

/** The chain of a test, which exists only while forge executes it. @param key of its own, because caches use it */
export const testNetwork = (key: string, state: TestState): Network => ({
  key,
  chain: key,
  chainId: CHAIN_ID,
  nativeSymbol: 'ETH',
  rpc: new TestStateClient(state),
  // Its state does not change any more.
  replayable: true,
});
