import assert from 'node:assert/strict';
import { keccak256 } from 'ethers';
import type { ExecutionState } from '../../../../server/analysis/execution-state';
import type { Finding } from '../../../../server/analysis/findings/finding';
import { markedLoansWork } from '../../../../server/analysis/findings/lent-balances';
import type { StorageWrite } from '../../../../server/analysis/ports';
import type { Address, Hash } from '../../../../server/api/primitives';
import { atOnce } from '../../../../server/kernel/async/slices';
import { word } from '../../../support/analysis';
import { WHO } from '../../../support/scenes';

describe('what bears flash loans out', () => {
  const loan: Finding = {
    kind: 'flashLoan',
    contract: WHO.lender,
    account: WHO.router,
    amounts: [{ asset: WHO.DAI, standard: 'erc20', amount: 100n }],
    nodeIds: [1, 2],
  };
  const touching = (...slots: Hash[]): ExecutionState => {
    const stateDiff = Object.fromEntries(slots.map((slot) => [slot, word(5)]));
    const storage = { [WHO.DAI]: { stateDiff } };
    return { native: new Map(), before: storage, after: storage };
  };
  const balanceSlot = (account: Address, base: number): Hash =>
    keccak256(`${word(account)}${word(base).slice(2)}`) as Hash;
  const written = (side: Address, ...values: bigint[]): StorageWrite[] =>
    values.map((value) => ({
      account: WHO.DAI,
      slot: balanceSlot(side, 0),
      value: word(value),
    }));
  const isClaimed = (
    state: ExecutionState | undefined,
    writes: readonly StorageWrite[] = [],
    listed: readonly Address[] = [WHO.DAI],
  ) =>
    atOnce(markedLoansWork([loan], { state, writes, listed: new Set(listed) })).map(
      (one) => one.isClaimed === true,
    );

  it('are not balances that an unlisted token only read, or changed otherwise', () => {
    const both = touching(balanceSlot(WHO.lender, 0), balanceSlot(WHO.router, 0));
    const rich = {
      ...both,
      before: {
        [WHO.DAI]: {
          stateDiff: {
            [balanceSlot(WHO.lender, 0)]: word(500),
            [balanceSlot(WHO.router, 0)]: word(5),
          },
        },
      },
    };
    const claimed = (...writes: StorageWrite[]) => isClaimed(rich, writes, []);
    const lent = [...written(WHO.lender, 400n), ...written(WHO.router, 105n)];
    const back = [...written(WHO.router, 4n), ...written(WHO.lender, 501n)];
    assert.deepEqual(claimed(...lent, ...back), [false]);
    assert.deepEqual(claimed(), [true]);
    assert.deepEqual(claimed(...lent), [true]);
    assert.deepEqual(claimed(...back, ...lent), [true]);
    assert.deepEqual(claimed(...written(WHO.lender, 499n, 501n), ...written(WHO.router, 5n)), [
      true,
    ]);
    assert.deepEqual(claimed(...written(WHO.lender, 400n, 501n)), [true]);
    assert.deepEqual(isClaimed(both, [], [WHO.DAI]), [false]);
  });

  it('are the balances of both sides in the storage of the token', () => {
    for (const base of [0, 3, 51]) {
      const both = [balanceSlot(WHO.lender, base), balanceSlot(WHO.router, base)];
      assert.deepEqual(isClaimed(touching(...both)), [false]);
    }
  });

  it('are not its events: without state, storage, or a balance of one side, it is marked as claimed', () => {
    assert.deepEqual(isClaimed(undefined), [true]);
    assert.deepEqual(isClaimed(touching()), [true]);
    assert.deepEqual(isClaimed(touching(word(0), word(1))), [true]);
    assert.deepEqual(isClaimed(touching(balanceSlot(WHO.lender, 0))), [true]);
    const others = [balanceSlot(WHO.alice, 0), balanceSlot(WHO.bob, 0)];
    assert.deepEqual(isClaimed(touching(...others)), [true]);
  });
});
