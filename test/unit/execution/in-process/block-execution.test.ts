import assert from 'node:assert/strict';
import type { Address, Hex } from '../../../../server/api/primitives';
import { toWord } from '../../../../server/evm/forms/quantity';
import { beginBlock } from '../../../../server/execution/in-process/in-process-executor';
import {
  ALICE,
  INNER,
  nodeWith,
  OUTER,
  placed,
  signedCall,
  VAULT,
} from '../../../support/placed-block';

describe('a block that is executed in this thread', () => {
  it('has the calls of a transaction, with the logs of those that failed', async () => {
    // The inner contract logs and reverts; the outer one logs, calls it, and stores 1 in slot 0.
    const codes = {
      [INNER]: '0x60006000a060006000fd',
      [OUTER]: `0x60006000a06000600060006000600073${INNER.slice(2)}5af150600160005500`,
    } as Record<Address, Hex>;
    const open = await beginBlock(placed(nodeWith(codes)));
    const { receipt, changes, calls } = await open.record(await signedCall(OUTER, 100_000n));
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
    const open = await beginBlock(placed(nodeWith(codes)));
    await assert.rejects(open.execute(await signedCall(OUTER, 200_000n)), {
      name: 'NotExecutable',
      message: 'a call of the point evaluation precompile (EIP-4844)',
    });
  });

  it('calls the contracts of requests at the end of a block of Amsterdam, as the system', async () => {
    const system: Address = `0x${'f'.repeat(39)}e`;
    const contracts: Address[] = [
      '0x00000961ef480eb55e80d19ad83579a64c007002',
      '0x0000bbddc7ce488642fb579f8b00f3a590007251',
      '0x0000bff46984e3725691fa540a8c7589300d8282',
      '0x000064d678505ad48f8ccb093bc65613800e8282',
    ];
    // Each stores its caller in slot 0.
    const codes = Object.fromEntries(contracts.map((contract) => [contract, '0x33600055']));
    const block = placed(nodeWith(codes as Record<Address, Hex>));
    const header = { ...block.header, miner: OUTER };
    for (const [hardfork, count] of [
      ['cancun', 0],
      ['prague', 2],
      ['amsterdam', 4],
    ] as const) {
      const open = await beginBlock({ ...block, chainId: 1, header, hardfork });
      await open.end({ withdrawals: [] });
      assert.deepEqual(
        Array.from(open.changed(), ([account, { storage }]) => [account, storage.get(toWord(0))]),
        contracts.slice(0, count).map((contract) => [contract, toWord(BigInt(system))]),
      );
    }
  });
});
