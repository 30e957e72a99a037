import assert from 'node:assert/strict';
import { Web3, type ContractAbi } from 'web3';
import { eventually } from '../support/eventually';
import { failureOf, type Artifact, type Artifacts, type Check } from './check';
import type { TestNode } from './nodes';

const STRANGER = '0x00000000000000000000000000000000DeaDBeef';

class Session {
  readonly web3: Web3;

  constructor(
    readonly node: TestNode,
    readonly artifacts: Artifacts,
  ) {
    this.web3 = new Web3(node.http);
    this.web3.eth.transactionPollingInterval = 50;
  }

  async accounts(): Promise<[string, string]> {
    const [first, second] = await this.web3.eth.getAccounts();
    if (first === undefined || second === undefined) throw new Error('there are no accounts');
    return [first, second];
  }

  async deploy({ abi, bytecode }: Artifact, ...args: unknown[]) {
    const [from] = await this.accounts();
    const contract = new this.web3.eth.Contract(abi as ContractAbi);
    const creation = contract.deploy({ data: bytecode, arguments: args as never[] });
    return creation.send({ from });
  }
}

const WORK: Record<string, (on: Session) => Promise<void>> = {
  'accounts and balances': async ({ web3 }) => {
    const accounts = await web3.eth.getAccounts();
    assert.equal(accounts.length, 10);
    assert.equal(await web3.eth.getBalance(accounts[9]!), 10n ** 22n);
    assert.equal(await web3.eth.getChainId(), 1n);
  },

  'a transfer from an account of the node': async (on) => {
    const [from] = await on.accounts();
    const { transactionHash, status } = await on.web3.eth.sendTransaction({
      from,
      to: STRANGER,
      value: '3',
    });
    assert.equal(status, 1n);
    const { value } = await on.web3.eth.getTransaction(transactionHash);
    assert.equal(BigInt(value), 3n);
  },

  'a transfer that is signed here': async ({ web3, ...on }) => {
    const account = web3.eth.accounts.create();
    const [from] = await new Session(on.node, on.artifacts).accounts();
    await web3.eth.sendTransaction({ from, to: account.address, value: '1000000000000000000' });
    const { rawTransaction } = await account.signTransaction({
      to: STRANGER,
      value: '1',
      gas: 21_000,
      nonce: 0,
      maxFeePerGas: '100000000000',
      maxPriorityFeePerGas: '1000000000',
      chainId: 1,
      type: 2,
    });
    const { status } = await web3.eth.sendSignedTransaction(rawTransaction);
    assert.equal(status, 1n);
  },

  'signatures of the node': async (on) => {
    const [from] = await on.accounts();
    const { web3 } = on;
    const signature = await web3.eth.sign(web3.utils.utf8ToHex('hello'), from);
    assert.ok(typeof signature === 'string');
    assert.equal(web3.eth.accounts.recover('hello', signature), from);
  },

  'a contract with events': async (on) => {
    const points = await on.deploy(on.artifacts.points, '1000');
    const [from] = await on.accounts();
    const { transfer, balanceOf } = points.methods;
    await transfer!(STRANGER, '4').send({ from });
    assert.equal(await balanceOf!(STRANGER).call(), 4n);
    const events = await points.getPastEvents('Transfer' as 'allEvents', {
      filter: { to: STRANGER },
    });
    assert.equal(events.length, 1);
  },

  'the reason of a call that fails': async (on) => {
    const till = await on.deploy(on.artifacts.till);
    const error = await failureOf(till.methods['sayNo']!().call());
    assert.match(
      JSON.stringify(error, Object.getOwnPropertyNames(error)),
      /execution reverted|reverted/,
    );
    const { cause } = error as { cause?: Error };
    assert.match(`${error.message} ${cause?.message ?? ''}`, /the till is closed/);
  },

  'a send that fails': async (on) => {
    const till = await on.deploy(on.artifacts.till);
    const [from] = await on.accounts();
    const taking = async (): Promise<unknown> => await till.methods['take']!('5').send({ from });
    await failureOf(taking());
  },

  fees: async ({ web3 }) => {
    assert.ok((await web3.eth.getGasPrice()) > 0n);
    const { baseFeePerGas } = await web3.eth.getFeeHistory(2, 'latest', [50]);
    assert.equal(baseFeePerGas.length, 3);
    assert.equal(await web3.eth.estimateGas({ to: STRANGER }), 21_000n);
  },

  'blocks and logs over WebSocket': async (on) => {
    const till = await on.deploy(on.artifacts.till);
    const [from] = await on.accounts();
    const web3 = new Web3(on.node.ws);
    try {
      const heads: bigint[] = [];
      const logs: unknown[] = [];
      const newHeads = await web3.eth.subscribe('newBlockHeaders');
      newHeads.on('data', ({ number }) => {
        heads.push(BigInt(number ?? 0));
      });
      const paid = await web3.eth.subscribe('logs', { address: till.options.address! });
      paid.on('data', (log) => {
        logs.push(log);
      });
      const { blockNumber } = await till.methods['pay']!().send({ from, value: '6' });
      await eventually(() => {
        assert.ok(logs.length > 0 && heads.includes(blockNumber));
      });
      await newHeads.unsubscribe();
      await paid.unsubscribe();
    } finally {
      web3.currentProvider?.disconnect();
    }
  },
};

export const web3Checks = (artifacts: Artifacts): Check[] =>
  Object.entries(WORK).map(([title, work]) => ({
    title,
    run: (node) => work(new Session(node, artifacts)),
  }));
