import assert from 'node:assert/strict';
import type { Address, Hash, Hex } from '../../server/api/primitives';
import { requestEach } from '../../server/evm/forms/json-rpc';
import { toQuantity, toWord } from '../../server/evm/forms/quantity';
import type { RpcBlock, RpcReceipt } from '../../server/evm/forms/types';
import { HardhatNode, type NodeRules } from '../support/hardhat-node';
import { UpstreamProxy, withoutDebugApi } from '../support/upstream-proxy';
import { ReferenceChain, type PlayedBlock } from './reference/chain';
import { withDefaults } from './reference/context';
import { debugAnswer, type TracerOptions } from './reference/debug-answers';
import type { ChainPlan, PlannedHardfork, PlannedTransaction } from './reference/plan';

/** Hardhat's names of the hardforks in this suite. */
const RULES: Partial<Record<PlannedHardfork, NodeRules>> = {
  berlin: 'berlin',
  london: 'london',
  paris: 'merge',
  shanghai: 'shanghai',
  cancun: 'cancun',
  prague: 'prague',
};
const COINBASE = (number: number): Address => `0xfee${number.toString(16).padStart(37, '0')}`;

interface Answer {
  id?: unknown;
}

/**
 * Blocks that Hardhat's node mines and the reference executes again from the same state. The two EVMs are independent implementations,
 * so results that they agree on count as correct.
 */
export class HardhatChain {
  readonly blocks: PlayedBlock[] = [];
  readonly #proxies: UpstreamProxy[] = [];

  private constructor(
    private readonly node: HardhatNode,
    private readonly reference: ReferenceChain,
    private readonly plan: Omit<ChainPlan, 'blocks'>,
  ) {}

  static async start(plan: Omit<ChainPlan, 'blocks'>): Promise<HardhatChain> {
    const [node, reference] = await Promise.all([
      HardhatNode.launch(RULES[plan.hardfork]),
      ReferenceChain.start(plan),
    ]);
    const chain = new HardhatChain(node, reference, plan);
    try {
      await chain.#fill();
      return chain;
    } catch (error) {
      await chain.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#proxies.map((proxy) => proxy.close()));
    await this.node.close();
  }

  /** Starts a node with these blocks and returns its URL. Its debug API returns the reference's traces. */
  async serve(debug: boolean): Promise<string> {
    const proxy = await UpstreamProxy.start(this.node.url);
    this.#proxies.push(proxy);
    if (!debug) {
      proxy.fault = withoutDebugApi;
      return proxy.url;
    }
    proxy.rewrite = (answer, calls) => {
      const answers = (Array.isArray(answer) ? answer : [answer]) as Answer[];
      const traced = calls.map(({ id, method, params = [] }, i) =>
        method === 'debug_traceTransaction'
          ? this.#traced(id, params as [Hash, TracerOptions])
          : (answers.find((one) => one.id === id) ?? answers[i]),
      );
      return Array.isArray(answer) ? traced : traced[0];
    };
    return proxy.url;
  }

  /** Mines transactions as a block, and compares the node with the reference. @throws AssertionError if they differ */
  async mine(transactions: readonly PlannedTransaction[]): Promise<PlayedBlock> {
    const { rpc } = this.node;
    const { hardfork } = this.plan;
    const raws: Hex[] = [];
    for (const { wallet, transaction } of transactions) {
      const nonce = Number(transaction.nonce);
      const raw = (await wallet.signTransaction(withDefaults(transaction, hardfork, nonce))) as Hex;
      await rpc.request('eth_sendRawTransaction', [raw]);
      raws.push(raw);
    }
    const coinbase = COINBASE(this.blocks.length + 1);
    await rpc.request('hardhat_setCoinbase', [coinbase]);
    await rpc.request('evm_increaseTime', [12]);
    await rpc.request('evm_mine', []);
    const block = (await rpc.request('eth_getBlockByNumber', ['latest', false])) as RpcBlock & {
      transactions: unknown[];
    };
    assert.equal(block.transactions.length, raws.length, 'transactions that were mined');
    const played = await this.reference.execute(raws, {
      number: BigInt(block.number),
      timestamp: BigInt(block.timestamp),
      parentHash: block.parentHash,
      coinbase,
      prevRandao: block.mixHash ?? toWord(0),
      gasLimit: BigInt(block.gasLimit),
      baseFee: block.baseFeePerGas === undefined ? undefined : BigInt(block.baseFeePerGas),
      excessBlobGas: block.excessBlobGas === undefined ? undefined : BigInt(block.excessBlobGas),
      beaconRoot: block.parentBeaconBlockRoot,
      difficulty: BigInt((block as { difficulty?: Hex }).difficulty ?? 0),
      systemCalls: false,
    });
    this.reference.know(BigInt(block.number), block.hash);
    await this.#compare(played);
    this.blocks.push(played);
    return played;
  }

  #traced(id: unknown, [hash, options]: [Hash, TracerOptions]): object {
    const executed = this.blocks
      .flatMap(({ transactions }) => transactions)
      .find(({ transaction }) => transaction.hash === hash);
    try {
      if (!executed) throw new Error('transaction not found');
      return { jsonrpc: '2.0', id, result: debugAnswer(executed, options) };
    } catch (error) {
      return { jsonrpc: '2.0', id, error: { code: -32000, message: (error as Error).message } };
    }
  }

  async #fill(): Promise<void> {
    const { rpc } = this.node;
    for (const [address, account] of Object.entries(this.plan.alloc)) {
      const { balance = 0n, nonce = 0, code, storage = {} } = account;
      await rpc.request('hardhat_setBalance', [address, toQuantity(balance)]);
      if (nonce > 0) await rpc.request('hardhat_setNonce', [address, toQuantity(nonce)]);
      if (code !== undefined) await rpc.request('hardhat_setCode', [address, code]);
      for (const [slot, value] of Object.entries(storage)) {
        await rpc.request('hardhat_setStorageAt', [address, toQuantity(BigInt(slot)), value]);
      }
    }
    // Mines the new state into a block of its own.
    await rpc.request('evm_mine', []);
    const latest = Number(await rpc.request('eth_blockNumber', []));
    for (let number = 0; number <= latest; number++) {
      const block = (await rpc.request('eth_getBlockByNumber', [
        toQuantity(number),
        false,
      ])) as RpcBlock;
      this.reference.know(BigInt(number), block.hash);
    }
  }

  async #compare({ transactions, state }: PlayedBlock): Promise<void> {
    const { rpc } = this.node;
    for (const { transaction, status, gasUsed, logs } of transactions) {
      const receipt = (await rpc.request('eth_getTransactionReceipt', [
        transaction.hash,
      ])) as RpcReceipt;
      assert.deepEqual(
        {
          status: Number(receipt.status) === 1,
          gasUsed: BigInt(receipt.gasUsed),
          logs: receipt.logs.map(({ address, topics, data }) => ({ address, topics, data })),
        },
        { status, gasUsed, logs },
        `the node and the reference differ in ${transaction.hash}`,
      );
    }
    for (const [address, { balance, nonce, code, storage }] of state) {
      const slots = [...storage.keys()];
      const [balanceThere, nonceThere, codeThere, ...values] = (await requestEach(rpc, [
        { method: 'eth_getBalance', params: [address, 'latest'] },
        { method: 'eth_getTransactionCount', params: [address, 'latest'] },
        { method: 'eth_getCode', params: [address, 'latest'] },
        ...slots.map((slot) => ({ method: 'eth_getStorageAt', params: [address, slot, 'latest'] })),
      ])) as [Hex, Hex, Hex, ...Hex[]];
      assert.deepEqual(
        [BigInt(balanceThere), Number(nonceThere), codeThere, values],
        [balance, nonce, code, slots.map((slot) => storage.get(slot))],
        `the node and the reference differ in ${address}`,
      );
    }
  }
}
