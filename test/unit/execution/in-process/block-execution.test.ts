import assert from 'node:assert/strict';
import { Wallet, Transaction } from 'ethers';
import type { Address, Hash, Hex } from '../../../../server/api/primitives';
import { toQuantity, toWord } from '../../../../server/ethereum/quantity';
import type { RpcBlockHeader, RpcTransaction } from '../../../../server/ethereum/types';
import { beginBlock } from '../../../../server/execution/in-process/in-process-executor';
import { ScriptedRpc } from '../../../support/scripted-rpc';

const ALICE = new Wallet(`0x${'a1'.repeat(32)}`);
const [OUTER, INNER]: [Address, Address] = [`0x${'c0'.repeat(20)}`, `0x${'c1'.repeat(20)}`];
const VAULT: Address = '0x4200000000000000000000000000000000000011';
const L1_BLOCK: Address = '0x4200000000000000000000000000000000000015';

const header = {
  number: '0x10',
  hash: toWord(16),
  parentHash: toWord(15),
  timestamp: toQuantity(1_750_000_000),
  miner: VAULT,
  gasLimit: toQuantity(60_000_000),
  gasUsed: '0x0',
  difficulty: '0x0',
  mixHash: toWord(3),
  baseFeePerGas: '0x1',
  excessBlobGas: '0x0',
  extraData: '0x00000000fa00000006',
} as unknown as RpcBlockHeader;

/** A chain with these codes, where Alice has an ether. */
const nodeWith = (codes: Record<Address, Hex>): ScriptedRpc =>
  new ScriptedRpc({
    eth_getBalance: (address: string) =>
      toQuantity(address === ALICE.address.toLowerCase() ? 10n ** 18n : 0n),
    eth_getTransactionCount: () => '0x0',
    eth_getCode: (address: Address) => codes[address] ?? (address === L1_BLOCK ? '0x00' : '0x'),
    eth_getStorageAt: () => toWord(0),
  });

async function call(to: Address, gas: bigint): Promise<RpcTransaction> {
  const fields = { type: 0, chainId: 10, nonce: 0, gasPrice: 7n, gasLimit: gas, to };
  const { hash, signature } = Transaction.from(await ALICE.signTransaction(fields));
  return {
    hash: hash as Hash,
    blockHash: header.hash,
    blockNumber: header.number,
    transactionIndex: '0x0',
    type: '0x0',
    nonce: '0x0',
    from: ALICE.address.toLowerCase() as Address,
    to,
    value: '0x0',
    gas: toQuantity(gas),
    gasPrice: '0x7',
    input: '0x',
    r: signature!.r as Hex,
    s: signature!.s as Hex,
    v: toQuantity(signature!.networkV!),
  };
}

const begin = (rpc: ScriptedRpc) => beginBlock({ rpc, chainId: 10, hardfork: 'cancun', header });

describe('a block that is executed in this thread', () => {
  it('has the calls of a transaction, with the logs of those that failed', async () => {
    // The inner contract logs and reverts; the outer one logs, calls it, and stores 1 in slot 0.
    const codes = {
      [INNER]: '0x60006000a060006000fd',
      [OUTER]: `0x60006000a06000600060006000600073${INNER.slice(2)}5af150600160005500`,
    } as Record<Address, Hex>;
    const open = await begin(nodeWith(codes));
    const { receipt, changes, calls } = await open.record(await call(OUTER, 100_000n));
    assert.equal(receipt.status, '0x1');
    assert.equal(receipt.logs.length, 1);
    const answer = calls.answer as { calls: { error: string }[] };
    assert.deepEqual(
      answer.calls.map(({ error }) => error),
      ['execution reverted'],
    );
    const details = calls.details as { calls: { logs: { address: Address }[] }[] };
    assert.deepEqual(
      details.calls.map(({ logs }) => logs.map(({ address }) => address)),
      [[INNER]],
    );
    assert.deepEqual(changes.post[OUTER], { storage: { [toWord(0)]: toWord(1) } });
    const paid =
      10n ** 18n - BigInt(changes.post[ALICE.address.toLowerCase() as Address]!.balance!);
    assert.equal(paid, 7n * BigInt(receipt.gasUsed));
    assert.equal(open.changed().get(VAULT)?.balance, 6n * BigInt(receipt.gasUsed));
  });

  it('is left to others if it calls a precompile that this process does not compute', async () => {
    const codes: Record<Address, Hex> = { [OUTER]: '0x6000600060006000600a5afa00' };
    const open = await begin(nodeWith(codes));
    await assert.rejects(open.execute(await call(OUTER, 200_000n)), {
      name: 'NotExecutable',
      message: 'a call of the point evaluation precompile (EIP-4844)',
    });
  });
});
