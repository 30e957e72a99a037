import assert from 'node:assert/strict';
import type { Address, Hash } from '../../../../server/api/primitives';
import type { RpcCall, RpcClient } from '../../../../server/evm/forms/json-rpc';
import { ChainState, type Access } from '../../../../server/execution/replay/chain-state';
import { account, word } from '../../../support/analysis';

const [ALICE, TOKEN, MINER, NOBODY] = [account(0xa), account(0x7), account(0xfee), account(0xff)];
const NEVER = new AbortController().signal;

/** Alice has 5 wei, the token code and slot 1, the miner 100 wei. */
const ANSWERS: Record<string, string> = {
  [`eth_getBalance ${ALICE}`]: '0x5',
  [`eth_getTransactionCount ${ALICE}`]: '0x2',
  [`eth_getCode ${TOKEN}`]: '0x6040',
  [`eth_getStorageAt ${TOKEN} ${word(1)}`]: '0x9',
  [`eth_getBalance ${MINER}`]: '0x64',
};

function chain(): { rpc: RpcClient; asked: string[] } {
  const asked: string[] = [];
  const answer = ({ method, params }: RpcCall): string => {
    assert.equal(params.at(-1), '0x10');
    const text = [method, ...params.slice(0, -1)].join(' ');
    asked.push(text);
    return ANSWERS[text] ?? (method === 'eth_getCode' ? '0x' : '0x0');
  };
  const rpc = {
    request: (method: string, params: unknown[]) => Promise.resolve(answer({ method, params })),
    requestAll: (calls: readonly RpcCall[]) =>
      Promise.resolve(calls.map((call) => ({ status: 'fulfilled' as const, value: answer(call) }))),
  };
  return { rpc, asked };
}

const access = (...entries: [Address, ...Hash[]][]): Access =>
  new Map(entries.map(([address, ...slots]) => [address, new Set(slots)]));
const ALL = access([ALICE], [TOKEN, word(1), word(2)], [MINER], [NOBODY]);

describe('ChainState', () => {
  let state: ChainState;
  let asked: string[];
  beforeEach(async () => {
    const { rpc, asked: calls } = chain();
    asked = calls;
    state = new ChainState(rpc, 0x10);
    await state.load(ALL, NEVER);
  });

  it('requests missing state only, and returns existing accounts', async () => {
    assert.equal(asked.length, 4 * 3 + 2);
    await state.load(access([TOKEN, word(1), word(3)], [ALICE]), NEVER);
    assert.deepEqual(asked.slice(14), [`eth_getStorageAt ${TOKEN} ${word(3)}`]);
    assert.deepEqual(state.overrides(ALL), {
      [ALICE]: { balance: '0x5', nonce: '0x2' },
      [TOKEN]: { balance: '0x0', nonce: '0x0', code: '0x6040', stateDiff: { [word(1)]: word(9) } },
      [MINER]: { balance: '0x64', nonce: '0x0' },
    });
  });

  it("uses a preset slot instead of the chain's, and does not request it", async () => {
    state.preset(TOKEN, word(4), word(7));
    await state.load(access([TOKEN, word(4)]), NEVER);
    assert.equal(asked.length, 14);
    const { stateDiff } = state.overrides(access([TOKEN, word(4)]))[TOKEN] ?? {};
    assert.deepEqual(stateDiff, { [word(4)]: word(7) });
  });

  it("applies changes, adds the fee recipient's payments, and resets", () => {
    const before = state.overrides(ALL);
    const pays = (from: bigint) => ({
      pre: { [MINER]: { balance: '0x64' }, [TOKEN]: { storage: { [word(1)]: word(9) } } },
      post: {
        [MINER]: { balance: `0x${(100n + from).toString(16)}` },
        [TOKEN]: { storage: { [word(2)]: word(8) } },
        [ALICE]: { balance: '0x1', nonce: 3 },
      },
    });
    assert.equal(state.change(pays(10n) as never, MINER), true);
    assert.equal(state.change(pays(20n) as never, MINER), true);
    assert.deepEqual(state.overrides(ALL), {
      [ALICE]: { balance: '0x1', nonce: '0x3' },
      [TOKEN]: { balance: '0x0', nonce: '0x0', code: '0x6040', stateDiff: { [word(2)]: word(8) } },
      [MINER]: { balance: '0x82', nonce: '0x0' },
    });
    state.reset();
    assert.deepEqual(state.overrides(ALL), before);
  });

  it("detects that a transaction touches another one's changes", () => {
    state.change(
      {
        pre: { [TOKEN]: {}, [MINER]: { balance: '0x64' } },
        post: { [TOKEN]: { storage: { [word(2)]: word(8) } }, [MINER]: { balance: '0x65' } },
      },
      MINER,
    );
    assert.equal(state.hasChanged(access([TOKEN, word(1)], [MINER], [ALICE]), MINER), false);
    assert.equal(state.hasChanged(access([TOKEN, word(2)]), MINER), true);
    assert.equal(state.hasChanged(access([MINER]), ALICE), true);
  });

  it('reports a diff as incomplete if an account is gone', () => {
    assert.equal(state.change({ pre: { [TOKEN]: { balance: '0x1' } }, post: {} }, MINER), false);
  });
});
