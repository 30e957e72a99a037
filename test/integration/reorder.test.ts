import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import type { OtherBlock, OtherGain } from '../../server/api/reorder';
import { NATIVE_ASSET } from '../../server/api/native-asset';
import { call } from '../support/json-rpc';
import { encode } from '../support/nested-calls';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork } from '../support/service';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

const [ALICE, BOB, CAROL, MALLORY] = [
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
  '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65',
] as const;
const [HBR, HUSD, ROUTER] = [
  '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0',
  '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9',
  '0x0dcd1bf9a1b36ce34237eeafef220932846bcd82',
] as const;
/** Where Alice swaps HBR into WETH over hUSD, and Bob swaps 100 HBR into hUSD after her. */
const SWAPS = 8;

describe('the other block', function () {
  this.timeout(120_000);
  let service: SandboxService;
  before(async () => {
    service = await sandboxService();
  });
  after(() => service.release());

  const ask = (body: object, chain = 'sandbox') =>
    service.request<OtherBlock>('POST', `/v1/explorer/${chain}/reorder`, { body });
  const reorder = async (body: object, chain?: string): Promise<OtherBlock> => {
    const { data, message } = await ask(body, chain);
    assert.equal(message, 'OK');
    return data;
  };

  it('without a change is the block itself: its receipts and its state', async () => {
    for (const block of [1, 7, 10, 12]) {
      const other = await reorder({ block, changes: [] });
      assert.deepEqual(other.check, { receipts: 'equal', state: 'equal' }, `block ${block}`);
      assert.deepEqual(
        other.transactions.filter(({ verdict }) => verdict !== 'same'),
        [],
      );
      assert.deepEqual([other.accounts, other.gasUsed.after], [[], other.gasUsed.before]);
    }
  });

  it('with the later swap first gives its sender the better price', async () => {
    const changes = [{ kind: 'move', position: 1, before: 0 }];
    const other = await reorder({ block: SWAPS, changes });
    assert.deepEqual(
      other.transactions
        .slice(0, 3)
        .map(({ was, is, isMoved, verdict }) => [was, is, isMoved, verdict]),
      [
        [1, 0, true, 'otherEffects'],
        [0, 1, false, 'otherEffects'],
        [2, 2, false, 'same'],
      ],
    );
    assert.deepEqual(of(other.accounts, BOB), [
      { asset: HUSD, symbol: 'hUSD', decimals: 6, before: '198566460', after: '199360247' },
    ]);
    assert.deepEqual(of(other.transactions[0]!.gains, BOB), of(other.accounts, BOB));
    assert.equal(other.transactions[2]?.before?.failure, FAILURE);
    assert.match(other.notes[0]!, /^no receipt proves the other block/);
  });

  it('without a transaction refuses the later ones of its sender, whose nonces no longer fit', async () => {
    const other = await reorder({ block: SWAPS, changes: [{ kind: 'drop', position: 2 }] });
    const ofCarol = other.transactions.filter(({ from }) => from === CAROL);
    assert.deepEqual(
      ofCarol.map(({ was, is, verdict }) => [was, is, verdict]),
      [
        [3, 2, 'invalid'],
        [4, 3, 'invalid'],
        [2, null, 'dropped'],
      ],
    );
    const [first] = ofCarol;
    assert.match(first!.cause, /^its nonce is (\d+), and the next one of its sender \d+$/);
    assert.equal(first!.after, undefined);
    // The profit of her flash loan is gone, and so are the fees.
    const [native, husd] = of(other.accounts, CAROL);
    assert.deepEqual([native?.asset, native?.after], [NATIVE_ASSET, '0']);
    assert.deepEqual([husd?.asset, husd?.after], [HUSD, '0']);
  });

  it('with other fields executes a transaction as if it was signed so', async () => {
    const fields = { value: '2000000000000000000', gasPrice: '3000000000' };
    const other = await reorder({ block: 6, changes: [{ kind: 'set', position: 0, fields }] });
    const [row] = other.transactions;
    assert.deepEqual([row?.isSet, row?.verdict], [true, 'otherEffects']);
    const [gain] = of(row!.gains, BOB);
    assert.deepEqual([gain?.before, gain?.after], ['1500000000000000000', '2000000000000000000']);
    const [paid] = of(row!.gains, ALICE);
    assert.equal(paid?.after, String(-(2_000_000_000_000_000_000n + 21_000n * 3_000_000_000n)));
    const cheap = { kind: 'set', position: 0, fields: { gasPrice: '1' } };
    const refused = await reorder({ block: 6, changes: [cheap] });
    assert.equal(refused.transactions[0]?.verdict, 'invalid');
    assert.match(
      refused.transactions[0].cause,
      /^its gasPrice \(1\) is less than the block's baseFeePerGas/,
    );
  });

  it('with inserted transactions makes room for them', async () => {
    const inserted = { from: MALLORY, to: BOB, value: '5' };
    const changes = [
      { kind: 'insert', before: 0, transaction: inserted },
      { kind: 'insertMined', before: 0, hash: sandboxHash('self-destruct') },
    ];
    const other = await reorder({ block: SWAPS, changes });
    const [first, second, swap] = other.transactions;
    assert.deepEqual([first?.hash, first?.was, first?.verdict], ['', null, 'inserted']);
    assert.deepEqual(
      of(first!.gains, BOB).map(({ before, after }) => [before, after]),
      [['0', '5']],
    );
    assert.deepEqual([second?.from, second?.verdict, second?.is], [CAROL, 'inserted', 1]);
    assert.equal(swap?.verdict, 'same');
    // It took the nonce of Carol's first one of the block; the next one fits again.
    const ofCarol = other.transactions.filter(({ from, was }) => from === CAROL && was !== null);
    assert.deepEqual(
      ofCarol.map(({ verdict }) => verdict),
      ['invalid', 'same', 'same'],
    );
    assert.match(other.notes[1]!, /as if their senders had signed them/);
  });

  it('on a fork undoes a sandwich', async () => {
    const fork = await createFork(service, { chainId: 31337, height: '0xd' });
    const block = await sandwich(fork);
    const drop = [0, 2].map((position) => ({ kind: 'drop', position }));
    const other = await reorder({ block, changes: drop, state: true }, fork.forkId);
    assert.equal(other.check.receipts, 'equal', other.check.difference);
    const [victim] = other.transactions;
    assert.deepEqual([victim?.from, victim?.was, victim?.is], [ALICE, 1, 0]);
    const [gain] = of(other.accounts, ALICE).filter(({ asset }) => asset === HUSD);
    assert.ok(BigInt(gain!.after) > BigInt(gain!.before), JSON.stringify(gain));
    const taken = of(other.accounts, BOB).filter(({ asset }) => asset !== NATIVE_ASSET);
    assert.deepEqual(
      taken.map(({ after }) => after),
      taken.map(() => '0'),
    );
  });

  it('is refused by name', async () => {
    const has = `block ${SWAPS} has 7 transactions`;
    const refusals: [object, RegExp | string][] = [
      [{ kind: 'drop', position: 7 }, `changes[0].position is 7; accepted: 0 to 6: ${has}`],
      [
        { kind: 'move', position: 1, before: 8 },
        `changes[0].before is 8; accepted: 0 to 7: ${has}`,
      ],
      [
        { kind: 'move', position: 1, before: 2 },
        /^changes\[0\].before is 2; accepted: another place/,
      ],
      [
        { kind: 'swap', position: 1 },
        /accepted: a change of kind drop, move, set, insert, insertMined or insertSigned/,
      ],
      [{ kind: 'set', position: 1, fields: {} }, /accepted: at least one of to, value/],
      [
        { kind: 'set', position: 1, fields: { nonce: 3 } },
        /^changes\[0\].fields.nonce is not known; accepted: to, value/,
      ],
      [
        { kind: 'insertMined', before: 0, hash: sandboxHash('flash-loan') },
        /this one is at 3, and can be moved$/,
      ],
      [{ kind: 'insertMined', before: 0, hash: `0x${'12'.repeat(32)}` }, /0x1212/],
      [
        { kind: 'insert', before: 0, transaction: { to: BOB } },
        /transaction.from is missing; accepted: an address/,
      ],
    ];
    for (const [change, reason] of refusals) {
      const { message } = await ask({ block: SWAPS, changes: [change] });
      if (typeof reason === 'string') assert.equal(message, reason);
      else assert.match(message, reason);
    }
    const twice = [
      { kind: 'drop', position: 1 },
      { kind: 'move', position: 1, before: 0 },
    ];
    const { message } = await ask({ block: SWAPS, changes: twice });
    assert.match(message, /^changes\[1\].position is 1; accepted: one change of a transaction/);
    const genesis = await ask({ block: 0, changes: [] });
    assert.equal(genesis.message, 'block is 0; accepted: a block after the first one');
    const none = await ask({ block: 99, changes: [] });
    assert.match(none.message, /^block is 99 /);
    const empty = await ask({ block: 13, changes: [{ kind: 'drop', position: 0 }] });
    assert.match(empty.message, /accepted: none: block 13 has 0 transactions$/);
  });

  /** Bob sells HBR right before Alice, and buys it back right after her, in one block of a fork. @returns its number */
  const sandwich = async ({ rpc }: Fork): Promise<number> => {
    const send = (
      from: string,
      to: string,
      data: string,
      gasPrice = '0x2540be400',
    ): Promise<string> =>
      call(rpc, 'eth_sendTransaction', { from, to, data, gas: '0x7a120', gasPrice });
    const approve = encode('function approve(address,uint256)', [ROUTER, 10n ** 24n]);
    for (const [from, token] of [
      [ALICE, HBR],
      [BOB, HBR],
      [BOB, HUSD],
    ] as const) {
      await send(from, token, approve);
    }
    const swap = (from: string, amount: bigint, path: readonly string[]): string =>
      encode('function swapExactTokensForTokens(uint256,uint256,address[],address,uint256)', [
        amount,
        1n,
        path,
        from,
        10n ** 10n,
      ]);
    await call(rpc, 'evm_setAutomine', false);
    await send(BOB, ROUTER, swap(BOB, 200n * 10n ** 18n, [HBR, HUSD]), '0x4a817c800');
    await send(ALICE, ROUTER, swap(ALICE, 500n * 10n ** 18n, [HBR, HUSD]), '0x3b9aca000');
    await send(BOB, ROUTER, swap(BOB, 380n * 10n ** 6n, [HUSD, HBR]));
    await call(rpc, 'evm_mine');
    return Number(await call(rpc, 'eth_blockNumber'));
  };
});

const FAILURE = `swapExactTokensForTokens of ${ROUTER}: TooLittleReceived(uint256,uint256)`;

const of = (gains: readonly OtherGain[], account: string): OtherGain['amounts'] =>
  gains.find(({ address }) => address === account)?.amounts ?? [];
