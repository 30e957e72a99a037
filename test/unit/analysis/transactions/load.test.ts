import assert from 'node:assert/strict';
import {
  fetchIncludedTransaction,
  loadMined,
  type IncludedTransaction,
} from '../../../../server/analysis/transactions/load';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { BLOCK_HASH, HASH, mined, network, word } from '../../../support/analysis';
import { ScriptedRpc, type Handlers } from '../../../support/scripted-rpc';

describe('fetchIncludedTransaction', () => {
  const find = (answer: unknown) =>
    fetchIncludedTransaction(
      network(new ScriptedRpc({ eth_getTransactionByHash: () => answer })),
      HASH,
    );
  const { transaction } = mined();

  it('accepts a transaction in a block, whatever the case of its hash', async () => {
    const upper = { ...transaction, hash: HASH.toUpperCase().replace('0X', '0x') };
    assert.equal(await find(upper), upper);
  });

  it('refuses another transaction, and one that is in no block yet', async () => {
    for (const [hash, shown] of [
      [word(8), `"${word(8)}"`],
      [5, '5'],
    ] as const) {
      await assert.rejects(find({ ...transaction, hash }), {
        kind: 'upstreamLacksData',
        message: `the node of test returned transaction ${shown} for ${HASH}`,
      });
    }
    for (const facts of [{ blockHash: null }, { blockNumber: null }, { blockHash: undefined }]) {
      await assert.rejects(find({ ...transaction, ...facts }), {
        kind: 'transactionPending',
        message: `transaction ${HASH} is not in a block of test yet`,
      });
    }
  });

  it('passes on that the node cannot be reached', async () => {
    const rpc = new ScriptedRpc({
      eth_getTransactionByHash: () => {
        throw new Error('unreachable');
      },
    });
    await assert.rejects(fetchIncludedTransaction(network(rpc), HASH), { message: 'unreachable' });
  });
});

describe('loadMined', () => {
  const { transaction, receipt, block } = mined();
  const included = transaction as IncludedTransaction;
  const { signal } = new AbortController();

  it('asks for the receipt and the header of the block', async () => {
    const rpc = new ScriptedRpc({
      eth_getTransactionReceipt: () => receipt,
      eth_getBlockByHash: () => block,
    });
    assert.deepEqual(await loadMined(network(rpc), included, signal), mined());
    assert.deepEqual(rpc.calls, [
      { method: 'eth_getTransactionReceipt', params: [HASH] },
      { method: 'eth_getBlockByHash', params: [BLOCK_HASH, false] },
    ]);
  });

  it('says which of them the node does not have, or why it does not answer', async () => {
    const handlers = { eth_getTransactionReceipt: () => receipt, eth_getBlockByHash: () => block };
    const load = (other: Handlers) =>
      loadMined(network(new ScriptedRpc({ ...handlers, ...other })), included, signal);
    for (const nothing of [null, undefined]) {
      await assert.rejects(load({ eth_getBlockByHash: () => nothing }), {
        kind: 'upstreamLacksData',
        message: `the node of test does not have block ${BLOCK_HASH}`,
      });
    }
    const refusing = () => {
      throw new RpcError(-32000, 'pruned');
    };
    await assert.rejects(load({ eth_getTransactionReceipt: refusing }), {
      kind: 'upstreamLacksData',
      message: 'the node of test answered with an error: pruned',
    });
  });
});
