import assert from 'node:assert/strict';
import { netChanges } from '../../../server/analysis/net-changes';
import { readExecutionState, type StateOverride } from '../../../server/analysis/execution-state';
import { BalanceVerifier, balanceVerification } from '../../../server/analysis/verify-balances';
import { collectTransfers } from '../../../server/analysis/transfers';
import type { CallFrame } from '../../../server/analysis/call-frame';
import type { Address, Hex } from '../../../server/api/primitives';
import { RpcError } from '../../../server/ethereum/json-rpc';
import { account, frame, log, mined, network, word } from '../../support/analysis';
import { ScriptedRpc, type Handlers } from '../../support/scripted-rpc';

const [ALICE, BOB, TOKEN, MINER] = [account(0xa11), account(0xb0b), account(0x70), account(0xfee)];
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const SLOT = word(0x5107);
const transaction = mined();
const fee = 21_000n * 1_000_000_000n;

/** Storage slot of a holder is its own address: the token's balanceOf reads it from the state that comes with the call. */
const tokenNode: Handlers = {
  eth_call: ({ to, data }: { to: Address; data?: Hex }, _block: Hex, state: StateOverride) => {
    if (data === undefined) return state[to]?.code === undefined ? '0x' : word(1);
    return state[to]?.stateDiff?.[`0x${data.slice(10)}`] ?? word(0);
  },
};

interface Story {
  root: CallFrame;
  /** Token balances: before, after. */
  tokens?: Record<Address, [number, number]>;
  /** Native balances: before, after. */
  native?: Record<Address, [bigint, bigint]>;
  node?: Handlers;
}

async function verify({ root, tokens = {}, native = {}, node = tokenNode }: Story) {
  const side = (index: 0 | 1) => ({
    ...Object.fromEntries(
      Object.entries(native).map(([key, value]) => [
        key,
        { balance: `0x${value[index].toString(16)}` },
      ]),
    ),
    [TOKEN]: {
      storage: Object.fromEntries(
        Object.entries(tokens).map(([key, value]) => [word(BigInt(key)), word(value[index])]),
      ),
    },
  });
  const state = readExecutionState(side(0), { pre: side(0), post: side(1) });
  const transfers = collectTransfers(root, {
    contracts: new Map(),
    destructionNeedsCreation: true,
  });
  const nets = netChanges(transfers);
  const verifier = new BalanceVerifier({ state: () => Promise.resolve(state) }, 1_000);
  const trace = { root, method: 'debug', reportedGas: 21_000 } as const;
  const on = network(new ScriptedRpc(node));
  const proof = await verifier.prove(
    { network: on, mined: transaction, trace, transfers, nets },
    new AbortController().signal,
  );
  return balanceVerification(base, proof);
}

const transferLog = (amount: number) =>
  log(TOKEN, [TRANSFER_TOPIC, word(BigInt(ALICE)), word(BigInt(BOB))], word(amount));
const paidFee: Story['native'] = { [ALICE]: [2n * fee, fee], [MINER]: [0n, fee] };
const base = { level: 'state-proved', method: 'debug', faithful: true } as const;

describe('the verification of balance changes', () => {
  it('takes fees from the native difference and balanceOf from the state', async () => {
    assert.deepEqual(
      await verify({
        root: frame({ value: 5n, items: [transferLog(10)] }),
        native: { [ALICE]: [2n * fee + 5n, fee], [BOB]: [0n, 5n], [MINER]: [0n, fee] },
        tokens: { [ALICE]: [100, 90], [BOB]: [0, 10] },
      }),
      { ...base, native: 'verified', tokens: 'verified' },
    );
  });

  it('finds tokens that keep a fee', async () => {
    assert.deepEqual(
      await verify({
        root: frame({ items: [transferLog(10)] }),
        native: paidFee,
        tokens: { [ALICE]: [100, 90], [BOB]: [0, 9] },
      }),
      {
        ...base,
        native: 'verified',
        tokens: 'different',
        firstDifference: `balance of ${BOB} in ${TOKEN}: 10 by the trace, 9 by the state`,
      },
    );
  });

  it('finds tokens that move without a log, and ether that no call moved', async () => {
    const input: Hex = `0xa9059cbb${word(BigInt(BOB)).slice(2)}${word(7).slice(2)}`;
    const { untold, tokens, native } = await verify({
      root: frame({ items: [frame({ from: ALICE, to: TOKEN, input })] }),
      native: { ...paidFee, [BOB]: [1n, 3n] },
      tokens: { [ALICE]: [100, 93], [BOB]: [0, 7] },
    });
    assert.deepEqual({ tokens, native }, { tokens: 'different', native: 'different' });
    assert.deepEqual(
      untold?.map(({ account: of, rawAmount, sign }) => [of, rawAmount, sign]),
      [
        [BOB, '2', true],
        [ALICE, '7', false],
        [BOB, '7', true],
      ],
    );
  });

  it('leaves tokens unchecked where the node ignores state, fails, or the token does not answer', async () => {
    const story = { root: frame({ items: [transferLog(10)] }), native: paidFee };
    const nodes: Handlers[] = [
      { eth_call: () => word(0) },
      {
        eth_call: () => {
          throw new RpcError(-32602, 'too many arguments');
        },
      },
      {
        eth_call: ({ data }: { data?: Hex }) => (data === undefined ? word(1) : '0x'),
      },
    ];
    for (const node of nodes) {
      assert.deepEqual(await verify({ ...story, node }), {
        ...base,
        native: 'verified',
        tokens: 'unchecked',
      });
    }
  });

  it('leaves all unchecked where no state can be had, or not in time', async () => {
    const root = frame();
    const request = {
      network: network(),
      mined: transaction,
      trace: { root, method: 'debug', reportedGas: 0 },
      transfers: [],
      nets: [],
    } as const;
    const { signal } = new AbortController();
    for (const state of [
      () => Promise.resolve(undefined),
      () => Promise.reject(new Error('down')),
      (_on: unknown, _mined: unknown, _root: unknown, limit: AbortSignal) =>
        new Promise<never>((_resolve, reject) => {
          limit.addEventListener('abort', () => {
            reject(new Error('aborted'));
          });
        }),
    ]) {
      const { native, tokens } = await new BalanceVerifier({ state }, 50).prove(request, signal);
      assert.deepEqual({ native, tokens }, { native: 'unchecked', tokens: 'unchecked' });
    }
  });
});

describe('readExecutionState', () => {
  it('knows slots that are zero on one side, creations and destructions', () => {
    const state = readExecutionState(
      { [TOKEN]: { balance: '0x1', storage: { [SLOT]: word(4) } }, [BOB]: { balance: '0x9' } },
      {
        pre: {
          [TOKEN]: { balance: '0x1', storage: { [SLOT]: word(4) } },
          [BOB]: { balance: '0x9' },
        },
        post: { [TOKEN]: {}, [ALICE]: { balance: '0x2', code: '0x60' } },
      },
    );
    assert.deepEqual(
      [...(state?.native ?? [])],
      [
        [BOB, -9n],
        [ALICE, 2n],
      ],
    );
    assert.deepEqual(state?.after, {
      [TOKEN]: { balance: '0x1', stateDiff: { [SLOT]: word(0) } },
      [BOB]: { balance: '0x0', code: '0x' },
      [ALICE]: { balance: '0x2', code: '0x60' },
    });
    assert.deepEqual(state.before[TOKEN], { balance: '0x1', stateDiff: { [SLOT]: word(4) } });
  });

  it('does not read what is no answer of the tracer', () => {
    for (const answer of [null, {}, { pre: 1 }, { pre: {}, post: { [BOB]: { balance: 'x' } } }]) {
      assert.equal(readExecutionState({}, answer), undefined);
    }
  });
});
