import assert from 'node:assert/strict';
import type { Address } from '../../server/api/primitives';
import type { Analysis } from '../../server/api/views';
import { toQuantity } from '../../server/evm/forms/quantity';
import { call, refusal } from '../support/json-rpc';
import { CAROL, VAULTS } from '../support/op-chain';
import {
  balancesOn,
  changesOf,
  FEES,
  MAX_FEE,
  NOBODY,
  OpForks,
  receiptOn,
  SENDER,
  TIP,
} from '../support/op-forks';

describe('a transaction sent to a fork of an OP Stack chain', function () {
  this.timeout(120_000);
  let on: OpForks;
  before(async () => {
    on = await OpForks.start();
  });
  after(() => on.close());

  it('has the fees in its receipt, and its analysis names who received them', async () => {
    const { rpc, forkId, warnings } = await on.forkOf('isthmus');
    assert.equal(
      warnings?.[0],
      'isthmus: the L1 data fee and the operator fee are taken at the end of each block, so a contract that reads the balance of a sender or of a fee vault in the same block sees it without them',
    );
    const start = await balancesOn(rpc);
    const number = await call(rpc, 'eth_blockNumber');
    const value = toQuantity(5);
    const hash = await call(rpc, 'eth_sendTransaction', {
      from: SENDER,
      to: CAROL,
      value,
      gas: '0x5208',
      ...FEES,
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
      [SENDER]: -paid - 5n,
      [CAROL]: 5n,
      [NOBODY]: 0n,
    });
    assert.deepEqual(await balancesOn(rpc, number), start);
    const path = `/v1/explorer/${forkId}/transaction/${hash}/analysis`;
    const { data } = await on.service.request<Analysis>('GET', path);
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
        [SENDER, '-5'],
        [CAROL, '5'],
      ]),
    );
    assert.equal(data.verification?.native, 'verified');
  });

  it('is refused if its sender has the gas, but not the fees of the OP Stack', async () => {
    const { rpc } = await on.forkOf('isthmus');
    const gas = 21_000n * MAX_FEE;
    // The operator's part is reserved for the gas limit.
    const needed = gas + 36_480_000_431n + 52_511n;
    const send = { from: SENDER, to: CAROL, value: '0x0', gas: '0x5208', ...FEES };
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
    const { rpc } = await on.forkOf('isthmus');
    // Enough for the gas of both, and for the other fees of the first.
    const owned = 2n * 21_000n * 1_003_058n + 36_480_052_942n + 50n;
    await call(rpc, 'anvil_setBalance', SENDER, toQuantity(owned));
    const before = await balancesOn(rpc);
    const price = { ...FEES, maxFeePerGas: toQuantity(1_003_058) };
    const send = { from: SENDER, to: NOBODY, value: '0x1', gas: '0x5208', ...price };
    const { code, message } = await refusal(rpc, 'eth_sendTransactions', [send, send]);
    assert.equal(code, -32_003);
    assert.match(message, /insufficient funds for gas \* price \+ value/);
    assert.deepEqual(await balancesOn(rpc), before);
  });

  it('is refused if the code of its sender spends what the fees need', async () => {
    const { rpc } = await on.forkOf('isthmus');
    // Sends its whole balance to CAROL.
    const drain: Address = `0x${'d7'.repeat(20)}`;
    await call(rpc, 'anvil_setCode', drain, `0x60006000600060004773${CAROL.slice(2)}5af100`);
    await call(rpc, 'anvil_setCode', SENDER, `0xef0100${drain.slice(2)}`);
    const before = await balancesOn(rpc);
    const send = { from: SENDER, to: SENDER, value: '0x0', gas: '0xea60', ...FEES };
    const { code, message } = await refusal(rpc, 'eth_sendTransaction', send);
    assert.equal(code, -32_003);
    assert.match(
      message,
      /^insufficient funds for gas \* price \+ value: after transaction 0x\w{64}, 0x\w{40} lacks \d+ of the \d+ wei of its L1 data fee and operator fee; anvil_setBalance gives it more$/,
    );
    assert.deepEqual(await balancesOn(rpc), before);
    assert.equal(await call(rpc, 'eth_getTransactionCount', SENDER, 'latest'), '0x0');
    // Without gas for the call, the balance stays.
    await call(rpc, 'anvil_setCode', SENDER, '0x');
    await call(rpc, 'eth_sendTransaction', send);
  });

  it('waits in the pool until its sender can pay', async () => {
    const { rpc } = await on.forkOf('isthmus');
    await call(rpc, 'evm_setAutomine', false);
    // Enough for the gas of both, and for the other fees of the first.
    const price = 996_058n + TIP;
    const owned = 2n * 21_000n * price + 36_480_000_431n + 52_511n + 50n;
    await call(rpc, 'anvil_setBalance', SENDER, toQuantity(owned));
    const exact = { ...FEES, maxFeePerGas: toQuantity(price) };
    const send = { from: SENDER, to: CAROL, value: '0x1', gas: '0x5208', ...exact };
    const hashes = [
      await call(rpc, 'eth_sendTransaction', send),
      await call(rpc, 'eth_sendTransaction', { ...send, nonce: '0x1' }),
    ];
    const before = await balancesOn(rpc);
    const { code, message } = await refusal(rpc, 'evm_mine');
    assert.equal(code, -32_003);
    assert.match(message, new RegExp(`after transaction ${hashes[1]}, .* lacks \\d+ of the`));
    assert.deepEqual(await balancesOn(rpc), before);
    await call(rpc, 'anvil_setBalance', SENDER, toQuantity(owned + 36_480_052_942n));
    await call(rpc, 'evm_mine');
    const receipts = await Promise.all(hashes.map((hash) => receiptOn(rpc, hash)));
    assert.deepEqual(
      receipts.map(({ status, l1Fee }) => [status, BigInt(l1Fee!)]),
      [
        ['0x1', 36_480_000_431n],
        ['0x1', 36_480_000_431n],
      ],
    );
    assert.equal(BigInt(await call(rpc, 'eth_getBalance', SENDER, 'latest')), 48n);
  });

  it('is charged alike in a bundle, after a revert and after a restart', async () => {
    const { rpc, forkId } = await on.forkOf('isthmus');
    const snapshot = await call(rpc, 'evm_snapshot');
    const start = await balancesOn(rpc);
    const send = (from: Address, value: number): object => ({
      from,
      to: CAROL,
      value: toQuantity(value),
      gas: '0x5208',
      ...FEES,
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
    await on.restart();
    const { rpc: now } = await on.fork(forkId);
    assert.deepEqual(await balancesOn(now), sent);
    assert.deepEqual(await call(now, 'eth_getBlockReceipts', 'latest'), receipts);
    assert.equal(await call(now, 'evm_revert', snapshot), true);
    assert.deepEqual(await balancesOn(now), start);
  });
});
