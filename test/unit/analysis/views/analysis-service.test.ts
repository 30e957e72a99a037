import assert from 'node:assert/strict';
import { chainNotFound } from '../../../../server/api/errors';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { account, HASH, word } from '../../../support/analysis';
import { type Handlers } from '../../../support/scripted-rpc';
import {
  block,
  NODE,
  receipt,
  request,
  service,
  transaction,
} from '../../../support/analysis-service';

describe('AnalysisService', () => {
  it('returns the flow with facts, labels and verification', async () => {
    const {
      status,
      transaction: facts,
      labels,
      verification,
      trace,
    } = await service().analysis.invocationFlow(request);
    assert.equal(status, true);
    assert.deepEqual(facts, {
      hash: HASH,
      chain: 'eth',
      chainId: 1,
      nativeSymbol: 'ETH',
      blockNumber: 100,
      position: 0,
      timestamp: 0x65000000,
      from: account(0xa11),
      to: account(0xb0b),
      value: '0',
      fee: '0.000021',
      gasUsed: 21_000,
      type: 0,
      nonce: 0,
    });
    assert.deepEqual(labels, { [account(0x500)]: 'Shop', [account(1)]: 'ecRecover' });
    assert.deepEqual(verification, {
      level: 'state-proved',
      method: 'debug',
      executor: 'node',
      faithful: true,
    });
    assert.equal(trace[0]?.children[0]?.children.length, 2);
  });

  it('returns the balance changes with prices', async () => {
    const { status, balanceChange } = await service().analysis.balanceChange(request);
    assert.equal(status, true);
    assert.deepEqual(
      balanceChange.map((one) => [one.account, one.assets[0]?.sign, one.assets[0]?.value]),
      [
        [account(0xa11), false, '0.00000000000002'],
        [account(0xb0b), true, '0.00000000000002'],
      ],
    );
  });

  it('traces once for both operations, and again for another network or block', async () => {
    const { analysis, traced } = service();
    await Promise.all([analysis.balanceChange(request), analysis.invocationFlow(request)]);
    await analysis.balanceChange(request);
    assert.deepEqual(traced, ['eth']);
    await analysis.balanceChange({ ...request, chain: 'fork_1' });
    assert.deepEqual(traced, ['eth', 'fork_1']);

    let blockHash = block.hash;
    const moving = service({
      ...NODE,
      eth_getTransactionByHash: () => ({ ...transaction, blockHash }),
      eth_getTransactionReceipt: () => ({ ...receipt, blockHash }),
      eth_getBlockByHash: () => ({ ...block, hash: blockHash }),
    });
    await moving.analysis.balanceChange(request);
    blockHash = word(0xb2);
    await moving.analysis.balanceChange(request);
    assert.equal(moving.traced.length, 2);
  });

  it('returns all views in one, and lists those that fail', async () => {
    const { analysis, traced, tokenRequests } = service();
    const { failures, stateDiff, balanceChange, fundFlow, gasProfile, ...flow } =
      await analysis.all(request);
    assert.deepEqual(failures, [
      { part: 'stateDiff', code: 50000, message: 'no state differences' },
    ]);
    assert.equal(stateDiff, null);
    assert.deepEqual([traced, tokenRequests], [['eth'], ['eth']], 'each is requested once');
    const alone = {
      flow: await analysis.invocationFlow(request),
      balances: await analysis.balanceChange(request),
      funds: await analysis.fundFlow(request),
      gas: await analysis.gasProfile(request),
    };
    const { verification } = alone.balances;
    assert.deepEqual(flow, { ...alone.flow, verification });
    assert.deepEqual(balanceChange, alone.balances.balanceChange);
    assert.deepEqual(fundFlow, alone.funds.fundFlow);
    assert.deepEqual(gasProfile, alone.gas.gasProfile);
  });

  it('uses the status of the trace if the receipt has none', async () => {
    const { analysis } = service({
      ...NODE,
      eth_getTransactionReceipt: () => ({ ...receipt, status: undefined }),
    });
    assert.equal((await analysis.balanceChange(request)).status, true);
  });

  it('reports that a transaction is unknown, pending, or on an unknown chain', async () => {
    const of = (found: unknown) => service({ eth_getTransactionByHash: () => found }).analysis;
    await assert.rejects(of(null).invocationFlow(request), {
      kind: 'transactionNotFound',
      message: `transaction ${HASH} is not known on eth`,
    });
    await assert.rejects(
      of({ ...transaction, blockHash: null, blockNumber: null }).balanceChange(request),
      {
        kind: 'transactionPending',
      },
    );
    const nowhere = service(NODE, {
      networks: { resolve: () => Promise.reject(chainNotFound('x', ['eth'])) },
    });
    await assert.rejects(nowhere.analysis.balanceChange(request), { kind: 'chainNotFound' });
  });

  it('reports what the node lacks', async () => {
    const lacking = (handlers: Handlers) =>
      service({ ...NODE, ...handlers }).analysis.balanceChange(request);
    await assert.rejects(lacking({ eth_getTransactionReceipt: () => null }), {
      kind: 'upstreamLacksData',
      message: `the node of eth does not have the receipt of transaction ${HASH}`,
    });
    await assert.rejects(lacking({ eth_getBlockByHash: () => null }), {
      kind: 'upstreamLacksData',
    });
    const refusing = () => {
      throw new RpcError(-32000, 'indexing is in progress');
    };
    await assert.rejects(lacking({ eth_getTransactionByHash: refusing }), {
      kind: 'upstreamLacksData',
      message: 'the node of eth answered with an error: indexing is in progress',
    });
  });

  it('can be cancelled while tracing', async () => {
    const cancelled = new AbortController();
    const { analysis } = service(NODE, {
      traces: {
        trace: (_network, _mined, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              reject(new Error('given up'));
            });
            cancelled.abort();
          }),
      },
    });
    await assert.rejects(analysis.balanceChange(request, { signal: cancelled.signal }), {
      kind: 'cancelled',
    });
  });
});
