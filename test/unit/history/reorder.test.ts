import assert from 'node:assert/strict';
import { Transaction, Wallet } from 'ethers';
import type { Hash, Hex } from '../../../server/api/primitives';
import type { BlockChange } from '../../../server/api/reorder';
import { toWord } from '../../../server/evm/forms/quantity';
import type { RpcBlock, RpcTransaction } from '../../../server/evm/forms/types';
import { Gains } from '../../../server/history/reorder/gains';
import { LeftState } from '../../../server/history/reorder/left-state';
import { planBlock } from '../../../server/history/reorder/plan';

const [A, B]: Hex[] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`];
const TOKEN: Hex = `0x${'cc'.repeat(20)}`;

const transaction = (position: number, fields: Partial<RpcTransaction> = {}): RpcTransaction => ({
  hash: toWord(position + 1),
  blockHash: toWord(99),
  blockNumber: '0x5',
  transactionIndex: `0x${position}`,
  type: '0x2',
  nonce: '0x0',
  from: A!,
  to: B!,
  value: '0x0',
  gas: '0x5208',
  maxFeePerGas: '0x64',
  maxPriorityFeePerGas: '0x1',
  input: '0x',
  ...fields,
});
const blockOf = (...transactions: RpcTransaction[]): RpcBlock => ({
  number: '0x5',
  hash: toWord(99),
  parentHash: toWord(98),
  timestamp: '0x1',
  miner: B!,
  gasLimit: '0x1000000',
  gasUsed: '0x0',
  baseFeePerGas: '0x7',
  transactions,
});
const FIVE = blockOf(...[0, 1, 2, 3, 4].map((position) => transaction(position)));

const NONE = new Map<Hash, RpcTransaction>();
const planOf = (changes: BlockChange[], block = FIVE, mined = NONE) =>
  planBlock(block, changes, { mined, mostGas: 50_000n, chainId: 31_337 });
const orderOf = (changes: BlockChange[]): string =>
  planOf(changes)
    .transactions.map(({ was }) => was ?? '+')
    .join('');
const inserted = { from: A!, value: '0x1' } as const;

describe('the plan of another block', () => {
  it('keeps the order of what no change is about', () => {
    assert.equal(orderOf([]), '01234');
    assert.equal(orderOf([{ kind: 'drop', position: 1 }]), '0234');
    assert.equal(orderOf([{ kind: 'move', position: 3, before: 0 }]), '30124');
    assert.equal(orderOf([{ kind: 'move', position: 0, before: 5 }]), '12340');
    assert.equal(orderOf([{ kind: 'insert', before: 2, transaction: inserted }]), '01+234');
  });

  it('reads positions as they were, whatever else changes', () => {
    assert.equal(
      orderOf([
        { kind: 'drop', position: 0 },
        { kind: 'move', position: 4, before: 1 },
        { kind: 'insert', before: 1, transaction: inserted },
        { kind: 'move', position: 1, before: 5 },
      ]),
      '4+231',
    );
    const { dropped } = planOf([
      { kind: 'drop', position: 3 },
      { kind: 'drop', position: 1 },
    ]);
    assert.deepEqual(
      dropped.map(({ was }) => was),
      [1, 3],
    );
  });

  it('prices an inserted transaction at the base fee, and a changed one in the form of its type', () => {
    const [first] = planOf([{ kind: 'insert', before: 0, transaction: inserted }]).transactions;
    const { gasPrice, gas, type, to, value } = first!.transaction;
    assert.deepEqual([gasPrice, gas, type, to, value], ['0x7', '0xc350', '0x0', null, '0x1']);
    const changes: BlockChange[] = [
      { kind: 'set', position: 2, fields: { gasPrice: '0x9', data: '0x01' } },
      { kind: 'move', position: 2, before: 0 },
    ];
    const [moved] = planOf(changes).transactions;
    assert.deepEqual([moved?.was, moved?.isMoved, moved?.isSet], [2, true, true]);
    const { maxFeePerGas, maxPriorityFeePerGas, input } = moved!.transaction;
    assert.deepEqual([maxFeePerGas, maxPriorityFeePerGas, input], ['0x9', '0x9', '0x01']);
    assert.equal(FIVE.transactions[2]?.input, '0x');
  });

  it('has signed transactions, with the next nonce of their signer', async () => {
    const signer = new Wallet(toWord(7));
    const fields = { to: B!, value: 5n, gasLimit: 21_000n, nonce: 9, chainId: 31_337n };
    const raw = await signer.signTransaction({
      ...fields,
      type: 2,
      maxFeePerGas: 9n,
      maxPriorityFeePerGas: 2n,
    });
    const [first] = planOf([{ kind: 'insertSigned', before: 0, raw }]).transactions;
    const { from, to, value, nonce, gas, type, maxFeePerGas } = first!.transaction;
    assert.deepEqual(
      [from, to, value, nonce, gas, type, maxFeePerGas],
      [signer.address.toLowerCase(), B, '0x5', '0x0', '0x5208', '0x2', '0x9'],
    );
    const legacy = await signer.signTransaction({ ...fields, type: 0, gasPrice: 8n });
    const [other] = planOf([{ kind: 'insertSigned', before: 0, raw: legacy }]).transactions;
    assert.deepEqual([other?.transaction.type, other?.transaction.gasPrice], ['0x0', '0x8']);
    const foreign = await signer.signTransaction({ ...fields, type: 0, gasPrice: 8n, chainId: 1n });
    const { r } = Transaction.from(raw).signature!;
    const unrecoverable = [toWord(0), toWord(5), `0x${'f'.repeat(64)}`].map((other) =>
      raw.replace(r.slice(2), other.slice(2)),
    );
    for (const wrong of ['0x1234', foreign, ...unrecoverable]) {
      assert.throws(
        () => planOf([{ kind: 'insertSigned', before: 0, raw: wrong }]),
        /^\w*Error: changes\[0\]\.raw is "0x[^;]+; accepted: a signed transaction of type 0, 1 or 2 for the chain id 31337$/,
      );
    }
  });

  it('is refused by name for transactions of the chain itself, and for prices of another type', () => {
    const deposit = blockOf(transaction(0, { type: '0x7e' }), transaction(1));
    const legacy: RpcTransaction = { ...transaction(0, { type: '0x0', gasPrice: '0x9' }) };
    delete legacy.maxFeePerGas;
    const refusals: [() => unknown, string][] = [
      [
        () => planOf([{ kind: 'drop', position: 0 }], deposit),
        'changes[0].position is 0; accepted: no system transaction: the chain itself makes it',
      ],
      [
        () => planOf([{ kind: 'move', position: 1, before: 0 }], deposit),
        'changes[0].before is 0; accepted: a place after the system transactions of the block',
      ],
      [
        () =>
          planOf(
            [{ kind: 'insertMined', before: 1, hash: toWord(7) }],
            FIVE,
            new Map([[toWord(7), transaction(6, { type: '0x7e' })]]),
          ),
        `changes[0].hash is "${toWord(7)}"; accepted: no system transaction: the chain itself makes it`,
      ],
      [
        () =>
          planOf([{ kind: 'set', position: 0, fields: { maxFeePerGas: '0x1' } }], blockOf(legacy)),
        'changes[0].fields has maxFeePerGas, but the transaction has a gasPrice; accepted: gasPrice',
      ],
      [
        () => planOf([{ kind: 'set', position: 0, fields: {} }]),
        'changes[0].fields is {}; accepted: at least one of to, value, data, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas',
      ],
      [
        () =>
          planOf([
            { kind: 'drop', position: 1 },
            { kind: 'set', position: 1, fields: { value: '0x1' } },
          ]),
        'changes[1].position is 1; accepted: one change of a transaction; it may be moved and its fields set',
      ],
    ];
    for (const [plan, message] of refusals) assert.throws(plan, { message });
  });
});

const moved = (from: Hex, to: Hex, amount: bigint) => ({
  changes: {
    pre: { [from]: { balance: '0x10' as Hex } },
    post: { [from]: { balance: '0xf' as Hex } },
  },
  transfers: [{ standard: 'erc20' as const, asset: TOKEN, from, to, amount }],
});

describe('what accounts gain in two blocks', () => {
  const facts = { nativeSymbol: 'ETH', tokens: new Map([[TOKEN, { symbol: 'T', decimals: 2 }]]) };

  it('differs by account and asset', () => {
    const before = new Gains().add(moved(A!, B!, 5n));
    const after = new Gains().add(moved(A!, B!, 7n));
    assert.deepEqual(before.differencesTo(after, [B!], facts), [
      {
        address: B,
        amounts: [{ asset: TOKEN, symbol: 'T', decimals: 2, before: '5', after: '7' }],
      },
      {
        address: A,
        amounts: [{ asset: TOKEN, symbol: 'T', decimals: 2, before: '-5', after: '-7' }],
      },
    ]);
    assert.deepEqual(before.differencesTo(before, [], facts), []);
  });
});

describe('the state that another block leaves', () => {
  const set = (from: number, to: number) => ({
    pre: { [A!]: { balance: '0x5' as Hex, nonce: 1, storage: { [toWord(1)]: toWord(from) } } },
    post: {
      [A!]: {
        balance: '0x4' as Hex,
        nonce: 2,
        storage: to === 0 ? {} : { [toWord(1)]: toWord(to) },
      },
    },
  });

  it('has accounts and slots that only one of both changed, and balances as after the block', async () => {
    const was = new LeftState().add(set(3, 0));
    assert.deepEqual(await was.differencesTo(new LeftState().add(set(3, 8)), () => unexpected()), [
      { address: A, slots: { [toWord(1)]: toWord(8) } },
    ]);
    const untouched = await was.differencesTo(new LeftState(), () => Promise.resolve(100n));
    assert.deepEqual(untouched, [
      { address: A, balance: '0x65', nonce: '0x1', slots: { [toWord(1)]: toWord(3) } },
    ]);
    assert.deepEqual(await was.differencesTo(was, () => unexpected()), []);
  });
});

const unexpected = (): Promise<bigint> => Promise.reject(new Error('no balance is needed'));
