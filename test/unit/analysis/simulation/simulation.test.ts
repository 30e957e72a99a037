import assert from 'node:assert/strict';
import {
  Simulation,
  type SimulatedCall,
  type SimulationRequest,
} from '../../../../server/analysis/simulation/simulation';
import type { AnalysisService } from '../../../../server/analysis/views/analysis-service';
import { ApiError, type ApiErrorName } from '../../../../server/api/errors';
import { simulateBody } from '../../../../server/api/simulate';
import { account, mined, network, without } from '../../../support/analysis';

const A = account(0xa11);
const B = account(0xb0b);
const { block: header, transaction } = mined({ block: { baseFeePerGas: '0x64' } });
const block = { ...header, transactions: [transaction, transaction] };
const ANSWER: SimulatedCall = {
  method: 'replay',
  callTrace: { type: 'CALL', from: A, to: B, gas: '0x1', gasUsed: '0x5208', input: '0x' },
  details: undefined,
  touched: undefined,
  stateDiff: { status: 'rejected', reason: new Error('no tracer') },
  nonce: '0x9',
};

/** Returns the request to the simulator and the input of the views. */
async function simulate(body: object, changes: Partial<SimulatedCall> = {}, inside = block) {
  let asked: SimulationRequest | undefined;
  let executed: Parameters<AnalysisService['ofExecution']> | undefined;
  const analysis = {
    ofExecution: (...given: Parameters<AnalysisService['ofExecution']>) => {
      executed = given;
      return Promise.resolve({ verification: { native: 'verified' } });
    },
  } as unknown as AnalysisService;
  const place = { network: network(), block: inside, tag: '0x64' };
  const simulation = new Simulation(
    { at: () => Promise.resolve(place) },
    {
      simulate: (request) => {
        asked = request;
        return Promise.resolve({ ...ANSWER, ...changes });
      },
    },
    analysis,
  );
  const answer = await simulation.simulate('eth', simulateBody.parse(body), 'ada', {
    signal: new AbortController().signal,
  });
  return { answer, asked: asked!, given: executed! };
}

const refuses = (body: object, kind: ApiErrorName, message: string) =>
  assert.rejects(
    simulate(body),
    (error) => error instanceof ApiError && error.kind === kind && error.message === message,
    message,
  );

describe('simulation', () => {
  it('runs after the whole block unless a position is given', async () => {
    const { asked, answer } = await simulate({ from: A, to: B });
    assert.equal(asked.position, 2);
    assert.deepEqual(asked.call, { from: A, to: B, value: '0x0', data: '0x', gas: '0x1000000' });
    assert.deepEqual(answer.simulation, {
      method: 'replay',
      executor: 'anvil',
      blockNumber: 100,
      position: 2,
      native: 'verified',
    });
    assert.equal(answer.verification, undefined);
    assert.equal((await simulate({ from: A, to: B, position: 1 })).asked.position, 1);
  });

  it('puts the nonce into the state, from which nodes read it', async () => {
    const stateOverrides = { [A]: { balance: '0x5' }, [B]: { code: '0x00' } };
    const { asked, given } = await simulate({ from: A, to: B, nonce: 3, stateOverrides });
    assert.deepEqual(asked.stateOverrides[A], { balance: '0x5', nonce: '0x3' });
    assert.deepEqual([...(given[0].executed.overriddenCode ?? [])], [[B, '0x00']]);
  });

  it('computes the price from the base fee and the tip (EIP-1559), up to the maximum', async () => {
    const priceOf = async (fees: object) =>
      (await simulate({ from: A, to: B, ...fees })).given[0].executed.mined.receipt
        .effectiveGasPrice;
    assert.equal(await priceOf({}), '0x0');
    assert.equal(await priceOf({ gasPrice: 200 }), '0xc8');
    assert.equal(await priceOf({ maxFeePerGas: 200, maxPriorityFeePerGas: 5 }), '0x69');
    assert.equal(await priceOf({ maxFeePerGas: 103, maxPriorityFeePerGas: 5 }), '0x67');
    const cheaper = { gasPrice: 7, blockOverrides: { baseFeePerGas: 7 } };
    assert.equal(await priceOf(cheaper), '0x7');
  });

  it('reports that the state difference is missing if no tracer returns it', async () => {
    const { given } = await simulate({ from: A, to: B });
    assert.throws(
      () => given[1](),
      (error) => error instanceof ApiError && error.kind === 'upstreamLacksData',
    );
  });

  it('rejects invalid positions, and prices that no block accepts', async () => {
    await refuses(
      { from: A, to: B, position: 3 },
      'invalidField',
      'position is 3; accepted: 0 to 2: block 100 of test has 2 transactions',
    );
    await refuses(
      { from: A, to: B, gasPrice: 99 },
      'simulationRejected',
      'the transaction cannot be executed: gasPrice is 99 wei, and the base fee 100 wei',
    );
  });
});

describe('the transaction of a simulation', () => {
  const minedBy = async (...args: Parameters<typeof simulate>) =>
    (await simulate(...args)).given[0].executed.mined;
  const bare = { from: A, to: B };

  it('has the fields of the request, as if it were in the block', async () => {
    const accessList = [{ address: B, storageKeys: [] }];
    const callTrace = { ...(ANSWER.callTrace as object), value: '0x7', input: '0x1234' };
    const body = {
      ...bare,
      value: '0x7',
      data: '0x1234',
      gas: '0x7530',
      maxFeePerGas: 200,
      accessList,
    };
    const {
      transaction: sent,
      receipt,
      block: header,
    } = await minedBy({ ...body, position: 1 }, { callTrace });
    const place = { blockHash: block.hash, blockNumber: '0x64', transactionIndex: '0x1' };
    assert.deepEqual(sent, {
      ...place,
      hash: '',
      type: '0x2',
      nonce: '0x9',
      from: A,
      to: B,
      value: '0x7',
      gas: '0x7530',
      input: '0x1234',
      accessList,
      maxFeePerGas: '0xc8',
      maxPriorityFeePerGas: '0x0',
    });
    assert.deepEqual(receipt, {
      ...place,
      transactionHash: '',
      from: A,
      to: B,
      contractAddress: null,
      gasUsed: '0x5208',
      cumulativeGasUsed: '0x5208',
      effectiveGasPrice: '0x64',
      status: '0x1',
      logs: [],
    });
    assert.equal(header.baseFeePerGas, '0x64');
    assert.equal(header.miner, account(0xfee));
  });

  it('creates a contract without a receiver, with data under either name', async () => {
    const callTrace = { ...(ANSWER.callTrace as object), type: 'CREATE', input: '0x60' };
    const { transaction: sent, receipt } = await minedBy({ from: A, input: '0x60' }, { callTrace });
    assert.deepEqual([sent.to, receipt.to, sent.input], [null, null, '0x60']);
    const { asked } = await simulate({ from: A, input: '0x60' }, { callTrace });
    assert.deepEqual(asked.call, { from: A, value: '0x0', data: '0x60', gas: '0x1000000' });
  });

  it('has the type that its fields need', async () => {
    const zero = '0x0';
    const authorization = {
      chainId: zero,
      address: B,
      nonce: zero,
      yParity: zero,
      r: '0x1',
      s: '0x1',
    };
    const hash = `0x01${'00'.repeat(31)}`;
    for (const [facts, type] of [
      [{}, '0x0'],
      [{ gasPrice: 200 }, '0x0'],
      [{ accessList: [] }, '0x1'],
      [{ maxFeePerGas: 200 }, '0x2'],
      [{ blobVersionedHashes: [hash], maxFeePerBlobGas: 5, maxFeePerGas: 200 }, '0x3'],
      [{ authorizationList: [authorization], maxFeePerGas: 200 }, '0x4'],
    ] as const) {
      const { transaction: sent } = await minedBy({ ...bare, ...facts });
      assert.equal(sent.type, type);
      if (type === '0x3') {
        assert.deepEqual([sent.blobVersionedHashes, sent.maxFeePerBlobGas], [[hash], '0x5']);
      }
      if (type === '0x4') assert.deepEqual(sent.authorizationList, [authorization]);
      assert.equal(sent.gasPrice, 'gasPrice' in facts ? '0xc8' : undefined);
    }
  });

  it('fails with its trace, and pays for its blobs', async () => {
    const callTrace = { ...(ANSWER.callTrace as object), error: 'execution reverted' };
    const blobs = { gasUsed: '0x20000', price: '0x3' } as const;
    const { receipt } = await minedBy(bare, { callTrace, blobs });
    assert.deepEqual(
      [receipt.status, receipt.blobGasUsed, receipt.blobGasPrice],
      ['0x0', '0x20000', '0x3'],
    );
    const silent = { ...(ANSWER.callTrace as object), error: '' };
    assert.equal((await minedBy(bare, { callTrace: silent })).receipt.status, '0x1');
  });

  it('has up to 2^24 gas, or what the block has (EIP-7825)', async () => {
    const gas = async (body: object, gasLimit = block.gasLimit) =>
      (await simulate({ ...bare, ...body }, {}, { ...block, gasLimit })).asked.call.gas;
    assert.equal(await gas({}), '0x1000000');
    assert.equal(await gas({}, '0xffffff'), '0xffffff');
    assert.equal(await gas({ blockOverrides: { gasLimit: 30_000 } }), '0x7530');
    assert.equal(await gas({ gas: 21_000 }), '0x5208');
  });

  it('is in a block with the overrides', async () => {
    const blockOverrides = { feeRecipient: B, baseFeePerGas: 7 };
    const { block: header, receipt } = await minedBy({
      ...bare,
      maxFeePerGas: 200,
      blockOverrides,
    });
    assert.deepEqual([header.miner, header.baseFeePerGas], [B, '0x7']);
    assert.equal(receipt.effectiveGasPrice, '0x7');
    const old = without(block, 'baseFeePerGas');
    const before = await simulate({ ...bare, gasPrice: 0 }, {}, old);
    assert.equal('baseFeePerGas' in before.given[0].executed.mined.block, false);
  });

  it('has the state and the changes that the tracer returned', async () => {
    const value = { pre: { [A]: { balance: '0x9' } }, post: { [A]: { balance: '0x4' } } };
    const touched = { [A]: { balance: '0x9' } };
    const spentGas = { spent: 5, counter: 0 };
    const stateDiff = { status: 'fulfilled', value } as const;
    const { given } = await simulate(bare, { stateDiff, touched, spentGas, method: 'debug' });
    const [{ executed, network: on }, diff] = given;
    assert.deepEqual(await diff(), { answer: value, method: 'debug' });
    assert.deepEqual([...(executed.trace.state?.native ?? [])], [[A, -5n]]);
    assert.deepEqual([executed.trace.spentGas, executed.trace.changes], [spentGas, value]);
    assert.deepEqual([executed.isSimulated, on.user], [true, 'ada']);
    const { given: none } = await simulate(bare);
    for (const field of ['state', 'changes', 'spentGas']) {
      assert.equal(field in none[0].executed.trace, false, field);
    }
    assert.equal('overriddenCode' in none[0].executed, false);
  });

  it('has no state difference, with the reason', async () => {
    for (const [reason, text] of [
      [new Error('no tracer'), 'no tracer'],
      ['a text', 'no answer'],
    ] as const) {
      const { given } = await simulate(bare, { stateDiff: { status: 'rejected', reason } });
      assert.throws(() => given[1](), {
        message: `the state difference is not available: ${text}`,
      });
    }
  });

  it('is refused at a position that the block does not have', async () => {
    const one = { ...block, transactions: block.transactions.slice(1) };
    await assert.rejects(simulate({ ...bare, position: 2 }, {}, one), {
      message: 'position is 2; accepted: 0 to 1: block 100 of test has 1 transaction',
    });
    const first = { ...one, number: '0x0' } as const;
    await assert.rejects(simulate({ ...bare, position: 0 }, {}, first), {
      message: 'position is 0; accepted: none for block 0: there is no block before it',
    });
    assert.equal((await simulate({ ...bare, position: 1 }, {}, first)).asked.position, 1);
    await refuses(
      { ...bare, maxFeePerGas: 99 },
      'simulationRejected',
      'the transaction cannot be executed: maxFeePerGas is 99 wei, and the base fee 100 wei',
    );
  });
});
