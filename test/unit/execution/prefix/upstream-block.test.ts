import assert from 'node:assert/strict';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { fetchBlockInParts } from '../../../../server/execution/prefix/upstream-block';
import { mined, word } from '../../../support/analysis';
import { ScriptedRpc, type Handlers } from '../../../support/scripted-rpc';

const HASHES = [word(1), word(2), word(3)];
const transactions = HASHES.map((hash) => ({ ...mined().transaction, hash }));
const block = { ...mined().block, transactions };
const receiptOf = (transactionHash: string): object => ({ ...mined().receipt, transactionHash });
const receipts = HASHES.map(receiptOf);

const NODE: Handlers = {
  eth_getBlockByNumber: () => block,
  eth_getBlockReceipts: () => receipts,
};

describe('a block in parts', () => {
  it('has the chain id of typed transactions whose node leaves it out', async () => {
    const [one] = transactions;
    const without = { ...one, chainId: undefined };
    const node = new ScriptedRpc({
      ...NODE,
      eth_getBlockByNumber: () => ({
        ...block,
        transactions: [
          { ...without, type: '0x2' },
          { ...without, type: '0x0' },
        ],
      }),
    });
    const rules = { chainId: 10, hardfork: 'cancun' } as const;
    const parts = await fetchBlockInParts(node, 100, 2, { rules });
    assert.deepEqual(
      parts?.block.transactions.map(({ chainId }) => chainId),
      ['0xa', undefined],
    );
  });

  it('is requested together with its receipts', async () => {
    const node = new ScriptedRpc(NODE);
    const asked = fetchBlockInParts(node, 100, 2, {});
    assert.deepEqual(node.calls, [
      { method: 'eth_getBlockReceipts', params: ['0x64'] },
      { method: 'eth_getBlockByNumber', params: ['0x64', true] },
    ]);
    const parts = await asked;
    assert.deepEqual(
      parts?.block.transactions.map(({ hash }) => hash),
      HASHES,
    );
    assert.deepEqual(await parts.receipts(), receipts.slice(0, 2));
    assert.equal(node.calls.length, 2);
  });

  it('has receipts from a node that returns them one by one', async () => {
    const node = new ScriptedRpc({
      eth_getBlockByNumber: () => block,
      eth_getTransactionReceipt: receiptOf,
    });
    const parts = await fetchBlockInParts(node, 100, 2, {});
    assert.deepEqual(await parts!.receipts(), receipts.slice(0, 2));
    assert.equal(node.methods().filter((one) => one === 'eth_getTransactionReceipt').length, 2);
  });

  it('requests no receipts for a count of 0', async () => {
    const node = new ScriptedRpc(NODE);
    const parts = await fetchBlockInParts(node, 100, 0, {});
    assert.deepEqual(await parts!.receipts(), []);
    assert.deepEqual(node.methods(), ['eth_getBlockByNumber']);
  });

  it('is null if the chain has no such block, and fails if its receipts do', async () => {
    const none = new ScriptedRpc({ ...NODE, eth_getBlockByNumber: () => null });
    assert.equal(await fetchBlockInParts(none, 100, 2, {}), null);
    const busy = (): never => {
      throw new RpcError(-32000, 'busy');
    };
    const parts = await fetchBlockInParts(
      new ScriptedRpc({ ...NODE, eth_getBlockReceipts: busy }),
      100,
      2,
      {},
    );
    await assert.rejects(async () => parts?.receipts(), /busy/);
  });
});
