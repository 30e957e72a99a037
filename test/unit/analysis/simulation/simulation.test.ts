import assert from 'node:assert/strict';
import {
  Simulation,
  type SimulatedCall,
  type SimulationRequest,
} from '../../../../server/analysis/simulation/simulation';
import type { AnalysisService } from '../../../../server/analysis/views/analysis-service';
import { ApiError, type ApiErrorName } from '../../../../server/api/errors';
import { simulateBody } from '../../../../server/api/simulate';
import { account, mined, network } from '../../../support/analysis';

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
async function simulate(body: object) {
  let asked: SimulationRequest | undefined;
  let executed: Parameters<AnalysisService['ofExecution']> | undefined;
  const analysis = {
    ofExecution: (...given: Parameters<AnalysisService['ofExecution']>) => {
      executed = given;
      return Promise.resolve({ verification: { native: 'verified' } });
    },
  } as unknown as AnalysisService;
  const place = { network: network(), block, tag: '0x64' };
  const simulation = new Simulation(
    { at: () => Promise.resolve(place) },
    {
      simulate: (request) => {
        asked = request;
        return Promise.resolve(ANSWER);
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
