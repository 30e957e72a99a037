import assert from 'node:assert/strict';
import { Wallet } from 'ethers';
import type { Hardfork } from '../../server/api/config';
import type { Fork } from '../../server/api/fork';
import type { Address } from '../../server/api/primitives';
import type { Analysis } from '../../server/api/views';
import { toQuantity, toWord } from '../../server/ethereum/quantity';
import type { RpcReceipt } from '../../server/ethereum/types';
import { NodeServer } from '../fidelity/node-server';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { call, refusal } from '../support/json-rpc';
import { CAROL, CHAIN_ID, ETHER, OpChain, VAULTS } from '../support/op-chain';
import { localProject, startService, type TestService } from '../support/service';
import { testEngines, type TestEngines } from './fork-upstream';

const MALLORY = new Wallet(`0x${'77'.repeat(32)}`);
const SENDER = MALLORY.address.toLowerCase() as Address;
const NOBODY: Address = `0x${'0e'.repeat(20)}`;
/** Accounts whose balances the transactions change. */
const ACCOUNTS = [...Object.values(VAULTS), SENDER, NOBODY, CAROL];
/** Adds the call data to slot 0 and logs nothing. */
const ADDER: Address = `0x${'ad'.repeat(20)}`;
const ADDER_CODE = '0x600035600054016000550060005260206000f3';
const [MAX_FEE, TIP] = [3_000_000_000n, 7_000n];
const MINIMUM = 1_500_000;
const JOVIAN = `0x01000000fa00000006${MINIMUM.toString(16).padStart(16, '0')}`;
/** Operator fee: scalar 3, constant 11; scalar of the data footprint: 900. */
const JOVIAN_WORD = (900n << 96n) | (3n << 64n) | 11n;
/** Headers before Isthmus and Ecotone, at times of no later upgrade. */
const ECOTONE = {
  header: { extraData: '0x', requestsHash: undefined, timestamp: toQuantity(1_715_000_000) },
};
const BEDROCK = {
  header: {
    ...ECOTONE.header,
    ...{ excessBlobGas: undefined, blobGasUsed: undefined, parentBeaconBlockRoot: undefined },
  },
  slots: { [toWord(5)]: 188n, [toWord(6)]: 684_000n },
};

type Balances = Record<string, bigint>;

/** Pseudo-random bytes of a length: many zeros, as in real call data. */
function dataOf(length: number): string {
  let seed = length + 1;
  return `0x${Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return (seed % 3 === 0 ? (seed >> 8) & 255 : 0).toString(16).padStart(2, '0');
  }).join('')}`;
}

describe('a transaction sent to a fork of an OP Stack chain', function () {
  this.timeout(120_000);
  let nodes: NodeServer;
  let engines: TestEngines;
  let service: TestService;
  let dataDir: string;
  let config: object;
  let isthmusUrl: string;
  before(async () => {
    [nodes, engines, dataDir] = await Promise.all([
      NodeServer.start(),
      testEngines(),
      makeTemporaryDirectory(),
    ]);
    const chainOf = (slug: string, hardfork: Hardfork, { answer }: OpChain): object => ({
      ...{ slug, name: slug, chainId: CHAIN_ID, hardfork },
      rpcUrls: [nodes.add(`/${slug}`, answer)],
    });
    const isthmus = await OpChain.create();
    isthmusUrl = nodes.add('/other', isthmus.answer);
    const jovian = { header: { extraData: JOVIAN }, slots: { [toWord(8)]: JOVIAN_WORD } };
    config = {
      chains: [
        chainOf('isthmus', 'prague', isthmus),
        chainOf('jovian', 'osaka', await OpChain.create({}, jovian)),
        chainOf('ecotone', 'cancun', await OpChain.create({}, ECOTONE)),
        chainOf('bedrock', 'shanghai', await OpChain.create({}, BEDROCK)),
      ],
    };
    service = await startService({ config, dataDir });
  });
  after(async () => {
    await service.stop();
    await Promise.all([nodes.close(), engines.close(), removeDirectory(dataDir)]);
  });

  const forkOf = async (slug: string): Promise<Fork> => {
    const path = `/v1/project/${await localProject(service)}/fork`;
    const body = { name: 'sends', chainId: CHAIN_ID, chain: slug, height: '0x3e8' };
    const { code, message, data } = await service.request<Fork>('POST', path, { body });
    assert.equal(code, 0, message);
    await call(data.rpc, 'anvil_setBalance', SENDER, toQuantity(ETHER));
    await call(data.rpc, 'anvil_setBalance', NOBODY, toQuantity(ETHER));
    await call(data.rpc, 'anvil_setCode', ADDER, ADDER_CODE);
    return data;
  };
  const balancesOn = async (url: string, block = 'latest'): Promise<Balances> =>
    Object.fromEntries(
      await Promise.all(
        ACCOUNTS.map(
          async (one) => [one, BigInt(await call(url, 'eth_getBalance', one, block))] as const,
        ),
      ),
    );
  const changesOf = (before: Balances, after: Balances): Balances =>
    Object.fromEntries(ACCOUNTS.map((one) => [one, after[one]! - before[one]!]));
  const fees = { maxFeePerGas: toQuantity(MAX_FEE), maxPriorityFeePerGas: toQuantity(TIP) };
  const rawOf = (nonce: number, fields: object): Promise<string> =>
    MALLORY.signTransaction({
      ...{ type: 2, chainId: CHAIN_ID, nonce, gasLimit: 400_000 },
      ...{ maxFeePerGas: MAX_FEE, maxPriorityFeePerGas: TIP },
      ...fields,
    });
  const receiptOn = (url: string, hash: string): Promise<RpcReceipt & Record<string, string>> =>
    call(url, 'eth_getTransactionReceipt', hash);

  it('changes every balance as an EVM of the OP Stack does, whatever its data', async () => {
    const { rpc } = await forkOf('isthmus');
    const other = await engines.start({
      upstream: { url: isthmusUrl, blockNumber: 1_000, name: 'op' },
      hardfork: 'isthmus' as Hardfork,
      extraArguments: ['--optimism'],
    });
    const ask = (method: string, ...params: unknown[]): Promise<unknown> =>
      other.rpc.request(method, params);
    for (const [method, ...params] of [
      ['anvil_setBalance', SENDER, toQuantity(ETHER)],
      ['anvil_setBalance', NOBODY, toQuantity(ETHER)],
      ['anvil_setCode', ADDER, ADDER_CODE],
      ['anvil_setCoinbase', VAULTS.priority],
    ] as [string, ...unknown[]][]) {
      await ask(method, ...params);
    }
    const sizes = [0, 4, 36, 132, 900, 5_000];
    for (const [nonce, size] of sizes.entries()) {
      const [baseFee, data] = [await call(rpc, 'eth_baseFee'), dataOf(size)];
      // A legacy transaction: the other EVM measures others with two bytes too many.
      const raw = await MALLORY.signTransaction({
        ...{ type: 0, chainId: CHAIN_ID, nonce, gasLimit: 400_000, gasPrice: MAX_FEE },
        ...{ to: ADDER, data },
      });
      const hash = await call(rpc, 'eth_sendRawTransaction', raw);
      await ask('anvil_setNextBlockBaseFeePerGas', baseFee);
      await ask('eth_sendRawTransaction', raw);
      await ask('evm_mine');
      const expected: Balances = {};
      for (const one of ACCOUNTS) {
        expected[one] = BigInt((await ask('eth_getBalance', one, 'latest')) as string);
      }
      assert.deepEqual(await balancesOn(rpc), expected, `${size} bytes`);
      const { gasUsed } = await receiptOn(rpc, hash);
      const known = (await ask('eth_getTransactionReceipt', hash)) as RpcReceipt;
      assert.equal(gasUsed, known.gasUsed);
    }
  });

  it('has the fees in its receipt, and its analysis names who received them', async () => {
    const { rpc, forkId, warnings } = await forkOf('isthmus');
    assert.equal(
      warnings?.[0],
      'isthmus: the L1 data fee and the operator fee are taken at the end of each block, so a contract that reads the balance of a sender or of a fee vault in the same block sees it without them',
    );
    const start = await balancesOn(rpc);
    const number = await call(rpc, 'eth_blockNumber');
    const value = toQuantity(5);
    const hash = await call(rpc, 'eth_sendTransaction', {
      ...{ from: SENDER, to: CAROL, value, gas: '0x5208' },
      ...fees,
    });
    const receipt = await receiptOn(rpc, hash);
    // 100 bytes, the least: 100 * (16 * 7600 * 3e9 + 862000 * 5) / 1e6; operator 21000 * 2.5 + 11.
    const [l1, operator] = [36_480_000_431n, 52_511n];
    const { l1Fee, l1GasUsed, l1GasPrice, l1BlobBaseFee, l1BaseFeeScalar } = receipt;
    assert.deepEqual(
      [l1Fee, l1GasUsed, l1GasPrice, l1BlobBaseFee, l1BaseFeeScalar].map((one) => BigInt(one!)),
      [l1, 1_600n, 3_000_000_000n, 5n, 7_600n],
    );
    const { l1BlobBaseFeeScalar, operatorFeeScalar, operatorFeeConstant } = receipt;
    assert.deepEqual(
      [l1BlobBaseFeeScalar, operatorFeeScalar, operatorFeeConstant].map((one) => BigInt(one!)),
      [862_000n, 2_500_000n, 11n],
    );
    assert.ok(!('daFootprintGasScalar' in receipt || 'blobGasUsed' in receipt));
    const [ofBlock] = await call<object[]>(rpc, 'eth_getBlockReceipts', 'latest');
    assert.deepEqual(ofBlock, receipt);
    const base = 21_000n * 996_058n;
    const paid = base + 21_000n * TIP + l1 + operator;
    assert.deepEqual(changesOf(start, await balancesOn(rpc)), {
      [VAULTS.priority]: 21_000n * TIP,
      [VAULTS.base]: base,
      [VAULTS.l1]: l1,
      [VAULTS.operator]: operator,
      ...{ [SENDER]: -paid - 5n, [CAROL]: 5n, [NOBODY]: 0n },
    });
    assert.deepEqual(await balancesOn(rpc, number), start);
    const path = `/v1/explorer/${forkId}/transaction/${hash}/analysis`;
    const { data } = await service.request<Analysis>('GET', path);
    assert.deepEqual(data.stateDiff?.fee, {
      payer: SENDER,
      paid: paid.toString(),
      recipient: VAULTS.priority,
      received: (21_000n * TIP).toString(),
      others: [
        { recipient: VAULTS.base, received: base.toString() },
        { recipient: VAULTS.l1, received: l1.toString() },
        { recipient: VAULTS.operator, received: operator.toString() },
      ],
    });
    const changes = data.stateDiff.accounts.map(({ address, balance }) => [
      address,
      balance?.change,
    ]);
    assert.deepEqual(
      Object.fromEntries(changes),
      Object.fromEntries([
        ...Object.values(VAULTS).map((vault) => [vault, '0']),
        ...[
          [SENDER, '-5'],
          [CAROL, '5'],
        ],
      ]),
    );
    assert.equal(data.verification?.native, 'verified');
  });

  it('is refused if its sender has the gas, but not the fees of the OP Stack', async () => {
    const { rpc } = await forkOf('isthmus');
    const gas = 21_000n * MAX_FEE;
    // The operator's part is reserved for the gas limit.
    const needed = gas + 36_480_000_431n + 52_511n;
    const send = { from: SENDER, to: CAROL, value: '0x0', gas: '0x5208', ...fees };
    await call(rpc, 'anvil_setBalance', SENDER, toQuantity(needed - 1n));
    const before = await balancesOn(rpc);
    const { code, message } = await refusal(rpc, 'eth_sendTransaction', send);
    assert.equal(code, -32_003);
    assert.equal(
      message,
      `insufficient funds for gas * price + value: ${SENDER} has ${needed - 1n} wei and needs ${needed}, 36480052942 of it for the L1 data fee and the operator fee; anvil_setBalance gives it more`,
    );
    assert.deepEqual(await balancesOn(rpc), before);
    await call(rpc, 'anvil_setBalance', SENDER, toQuantity(needed));
    await call(rpc, 'eth_sendTransaction', send);
  });

  it('is refused with its bundle if an earlier one leaves too little', async () => {
    const { rpc } = await forkOf('isthmus');
    // Enough for the gas of both, and for the other fees of the first.
    const owned = 2n * 21_000n * 1_003_058n + 36_480_052_942n + 50n;
    await call(rpc, 'anvil_setBalance', SENDER, toQuantity(owned));
    const before = await balancesOn(rpc);
    const price = { ...fees, maxFeePerGas: toQuantity(1_003_058) };
    const send = { from: SENDER, to: NOBODY, value: '0x1', gas: '0x5208', ...price };
    const { code, message } = await refusal(rpc, 'eth_sendTransactions', [send, send]);
    assert.equal(code, -32_003);
    assert.match(message, /insufficient funds for gas \* price \+ value/);
    assert.deepEqual(await balancesOn(rpc), before);
  });

  it('is charged alike in a bundle, after a revert and after a restart', async () => {
    const { rpc, forkId } = await forkOf('isthmus');
    const snapshot = await call(rpc, 'evm_snapshot');
    const start = await balancesOn(rpc);
    const send = (from: Address, value: number): object => ({
      ...{ from, to: CAROL, value: toQuantity(value), gas: '0x5208' },
      ...fees,
    });
    const bundle = [send(SENDER, 1), send(NOBODY, 2), send(SENDER, 3)];
    const hashes = await call<string[]>(rpc, 'eth_sendTransactions', bundle);
    const sent = await balancesOn(rpc);
    const changes = changesOf(start, sent);
    const fee = 21_000n * (996_058n + TIP) + 36_480_000_431n + 52_511n;
    assert.deepEqual(
      [changes[SENDER], changes[NOBODY], changes[VAULTS.l1], changes[VAULTS.operator]],
      [-2n * fee - 4n, -fee - 2n, 3n * 36_480_000_431n, 3n * 52_511n],
    );
    const diffOf = (hash: string): Promise<Record<'pre' | 'post', Record<string, object>>> =>
      call(rpc, 'debug_traceTransaction', hash, {
        tracer: 'prestateTracer',
        tracerConfig: { diffMode: true },
      });
    const diffs = await Promise.all(hashes.map(diffOf));
    for (const vault of [VAULTS.l1, VAULTS.base, VAULTS.operator, VAULTS.priority]) {
      assert.deepEqual(diffs[1]?.pre[vault], diffs[0]?.post[vault]);
      assert.deepEqual(diffs[2]?.pre[vault], diffs[1]?.post[vault]);
      assert.deepEqual(diffs[2]?.post[vault], { balance: toQuantity(sent[vault]!) });
    }
    const receipts = await call<object[]>(rpc, 'eth_getBlockReceipts', 'latest');
    await service.kill();
    service = await startService({ config, dataDir });
    const path = `/v1/project/${await localProject(service)}/fork/${forkId}`;
    const { rpc: now } = (await service.request<Fork>('GET', path)).data;
    assert.deepEqual(await balancesOn(now), sent);
    assert.deepEqual(await call(now, 'eth_getBlockReceipts', 'latest'), receipts);
    assert.equal(await call(now, 'evm_revert', snapshot), true);
    assert.deepEqual(await balancesOn(now), start);
  });

  it('pays a hundred times the operator’s scalar since Jovian, and fills the block with its data', async () => {
    const { rpc } = await forkOf('jovian');
    const start = await balancesOn(rpc);
    const [data, baseFee] = [dataOf(3_000), BigInt(await call(rpc, 'eth_baseFee'))];
    const raw = await rawOf(0, { to: ADDER, data });
    const hash = await call(rpc, 'eth_sendRawTransaction', raw);
    const receipt = await receiptOn(rpc, hash);
    const gasUsed = BigInt(receipt.gasUsed);
    const changes = changesOf(start, await balancesOn(rpc));
    assert.equal(changes[VAULTS.operator], gasUsed * 300n + 11n);
    assert.equal(receipt['daFootprintGasScalar'], '0x384');
    const footprint = BigInt(receipt['blobGasUsed']!);
    // The estimate of the size is 1 / 16 of the gas on the parent chain.
    assert.equal(footprint, (BigInt(receipt['l1GasUsed']!) / 16n) * 900n);
    assert.ok(footprint > gasUsed);
    assert.equal(baseFee, BigInt(MINIMUM));
    // The base fee of the parent is below the minimum, which holds from the next block on.
    assert.equal(BigInt(await call(rpc, 'eth_baseFee')), BigInt(MINIMUM));
  });

  it('pays for its data by Ecotone’s and by Bedrock’s rules, without an operator', async () => {
    for (const [slug, expected, fields] of [
      // Gas of the data, times (16 * 7600 * 3e9 + 862000 * 5), by 16e6.
      ['ecotone', (gas: bigint) => (gas * 364_800_004_310_000n) / 16_000_000n, 'l1BaseFeeScalar'],
      ['bedrock', (gas: bigint) => (gas * 3_000_000_000n * 684_000n) / 1_000_000n, 'l1FeeScalar'],
    ] as const) {
      const { rpc } = await forkOf(slug);
      const start = await balancesOn(rpc);
      const raw = await rawOf(0, { to: ADDER, data: dataOf(50) });
      const bytes = [...Buffer.from(raw.slice(2), 'hex')];
      const gas = bytes.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 0n);
      const used = gas + (slug === 'bedrock' ? 188n : 0n);
      const hash = await call(rpc, 'eth_sendRawTransaction', raw);
      const receipt = await receiptOn(rpc, hash);
      const changes = changesOf(start, await balancesOn(rpc));
      assert.deepEqual([changes[VAULTS.l1], changes[VAULTS.operator]], [expected(used), 0n], slug);
      assert.equal(BigInt(receipt['l1GasUsed']!), used);
      assert.ok(fields in receipt && !('operatorFeeScalar' in receipt), slug);
    }
  });
});
