import assert from 'node:assert/strict';
import type { Hardfork } from '../../server/api/config';
import { toQuantity, toWord } from '../../server/evm/forms/quantity';
import type { RpcReceipt } from '../../server/evm/forms/types';
import { L1_BLOCK } from '../../server/evm/families/op-stack/predeploys';
import { call } from '../support/json-rpc';
import { ETHER, VAULTS } from '../support/op-chain';
import {
  ACCOUNTS,
  ADDER,
  ADDER_CODE,
  balancesOn,
  changesOf,
  dataOf,
  FEES,
  MAX_FEE,
  MINIMUM,
  NOBODY,
  OpForks,
  receiptOn,
  SENDER,
  signedBySender,
  type Balances,
} from '../support/op-forks';
import { testEngines, type TestEngines } from './fork-upstream';

describe('the fees on a fork of the OP Stack', function () {
  this.timeout(120_000);
  let on: OpForks;
  let engines: TestEngines;
  before(async () => {
    [on, engines] = await Promise.all([OpForks.start(), testEngines()]);
  });
  after(() => Promise.all([on.close(), engines.close()]));

  it('changes every balance as an EVM of the OP Stack does, whatever its data', async () => {
    const { rpc } = await on.forkOf('isthmus');
    const other = await engines.start({
      upstream: { url: on.isthmusUrl, blockNumber: 1_000, name: 'op' },
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
      const raw = await signedBySender(nonce, { type: 0, gasPrice: MAX_FEE, to: ADDER, data });
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

  it('pays a hundred times the operator’s scalar since Jovian, and fills the block with its data', async () => {
    const { rpc } = await on.forkOf('jovian');
    const start = await balancesOn(rpc);
    const [data, baseFee] = [dataOf(3_000), BigInt(await call(rpc, 'eth_baseFee'))];
    const raw = await signedBySender(0, { to: ADDER, data });
    const hash = await call(rpc, 'eth_sendRawTransaction', raw);
    const receipt = await receiptOn(rpc, hash);
    const gasUsed = BigInt(receipt.gasUsed);
    const changes = changesOf(start, await balancesOn(rpc));
    assert.equal(changes[VAULTS.operator], gasUsed * 300n + 11n);
    assert.equal(receipt['daFootprintGasScalar'], '0x384');
    const footprint = BigInt(receipt.blobGasUsed!);
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
      const { rpc } = await on.forkOf(slug);
      const start = await balancesOn(rpc);
      const raw = await signedBySender(0, { to: ADDER, data: dataOf(50) });
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

  it('are those that a contract computes from the predeploy L1Block, as GasPriceOracle does', async () => {
    const { rpc } = await on.forkOf('isthmus');
    // Returns the slot that the call data name.
    await call(rpc, 'anvil_setCode', L1_BLOCK, '0x6000355460005260206000f3');
    const slot = async (number: number): Promise<bigint> =>
      BigInt(await call(rpc, 'eth_call', { to: L1_BLOCK, data: toWord(number) }, 'latest'));
    const send = { from: SENDER, to: NOBODY, value: '0x1', gas: '0x5208', ...FEES };
    const fees: bigint[] = [];
    for (const baseFee of [undefined, 9_000_000_001n]) {
      if (baseFee !== undefined) {
        await call(rpc, 'anvil_setStorageAt', L1_BLOCK, toWord(1), toWord(baseFee));
      }
      const [scalars, l1BaseFee, blobFee] = await Promise.all([slot(3), slot(1), slot(7)]);
      const [scalar, blobScalar] = [scalars >> 96n, (scalars >> 64n) & 0xffff_ffffn];
      // Fjord: 100 bytes, the least.
      const expected = (100n * (16n * scalar * l1BaseFee + blobScalar * blobFee)) / 1_000_000n;
      const before = await balancesOn(rpc);
      const { l1Fee } = await receiptOn(rpc, await call(rpc, 'eth_sendTransaction', send));
      const changes = changesOf(before, await balancesOn(rpc));
      assert.deepEqual([BigInt(l1Fee!), changes[VAULTS.l1]], [expected, expected]);
      fees.push(expected);
    }
    assert.deepEqual(fees, [36_480_000_431n, 109_440_000_443n]);
  });

  it('are suggested as op-geth does: the next base fee, and a tip of 0.001 gwei', async () => {
    const { rpc } = await on.forkOf('isthmus');
    const asked = ['eth_baseFee', 'eth_maxPriorityFeePerGas', 'eth_gasPrice'];
    const found = await Promise.all(asked.map((method) => call(rpc, method)));
    assert.deepEqual(found.map(Number), [996_058, 1_000_000, 1_996_058]);
    const { tx } = await call<{ tx: Record<string, string> }>(rpc, 'eth_fillTransaction', {
      from: SENDER,
      to: NOBODY,
      value: '0x1',
    });
    const { gas, maxFeePerGas, maxPriorityFeePerGas } = tx;
    // The gas is that of the chain itself, without a part for the parent chain.
    assert.deepEqual([gas, maxFeePerGas, maxPriorityFeePerGas].map(Number), [
      21_000,
      2 * 996_058 + 1_000_000,
      1_000_000,
    ]);
  });

  it('follow in simulated blocks as in mined ones', async () => {
    for (const [slug, first, second] of [
      // Denominator 250, elasticity 6; a transfer uses 21,000 of 10,000,000 gas.
      ['isthmus', 996_058, 992_083],
      ['jovian', MINIMUM, MINIMUM],
    ] as const) {
      const { rpc } = await on.forkOf(slug);
      const transfer = { from: SENDER, to: NOBODY, value: '0x1', gas: '0x5208', ...FEES };
      const blocks = await call<{ baseFeePerGas: string }[]>(
        rpc,
        'eth_simulateV1',
        { validation: true, blockStateCalls: [{ calls: [transfer] }, {}] },
        'latest',
      );
      const simulated = blocks.map(({ baseFeePerGas }) => Number(baseFeePerGas));
      assert.deepEqual(simulated, [first, second], slug);
      assert.equal(Number(await call(rpc, 'eth_baseFee')), first);
      await call(rpc, 'eth_sendTransaction', transfer);
      assert.equal(Number(await call(rpc, 'eth_baseFee')), second, slug);
    }
  });
});
