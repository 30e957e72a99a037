import assert from 'node:assert/strict';
import { toWord } from '../../../server/evm/forms/quantity';
import { assemble } from '../../fidelity/assembler';
import { eventually } from '../../support/eventually';
import { BLOCKHASHES, HASH, NUMBER, OTHER, recordingsOf } from './recordable-chain';

describe('recordings', () => {
  it('are made once for clients that ask at the same time, and go on when one leaves', async () => {
    let resolve = (): void => undefined;
    const promise = new Promise<void>((resolved) => (resolve = resolved));
    const aborted: boolean[] = [];
    const { open, located } = recordingsOf({
      tracing: async (signal) => {
        await promise;
        aborted.push(signal.aborted);
      },
    });
    const leaving = new AbortController();
    const left = open(HASH, { signal: leaving.signal });
    const stays = open();
    await eventually(() => {
      assert.notEqual(located.length, 0);
    });
    leaving.abort();
    await assert.rejects(left, { kind: 'cancelled' });
    resolve();
    assert.equal((await stays).recording.steps, 4);
    assert.deepEqual([aborted, located.length], [[false], 1]);
    assert.equal(await open(), await stays);
  });

  it('are given up when all clients leave', async () => {
    let hasEnded = false;
    const { open, located } = recordingsOf({
      tracing: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('ended'));
            hasEnded = true;
          });
        }),
    });
    const leaving = new AbortController();
    const both = [1, 2].map(() => open(HASH, { signal: leaving.signal }));
    await eventually(() => {
      assert.notEqual(located.length, 0);
    });
    leaving.abort();
    await Promise.all(both.map((one) => assert.rejects(one, { kind: 'cancelled' })));
    await eventually(() => {
      assert.ok(hasEnded);
    });
    assert.equal(located.length, 1);
  });

  it('are made again after others took their place', async () => {
    const { bytes } = await recordingsOf().open();
    const { open, located } = recordingsOf({ keptBytes: bytes * 1.5 });
    for (const hash of [HASH, HASH, OTHER, OTHER, HASH]) await open(hash);
    assert.deepEqual(
      located.map(({ hash }) => hash),
      [HASH, OTHER, HASH],
    );
  });

  it('are made again in another block, and refused where the transaction is in none', async () => {
    let now = 1_000;
    const { chain, open, located } = recordingsOf({ clock: { now: () => now } });
    const first = await open();
    chain.blocks.set(HASH, toWord(8n));
    now += 4_000;
    assert.equal(await open(), first);
    now += 6_000;
    assert.notEqual(await open(), first);
    assert.equal(located.length, 2);
    chain.blocks.set(HASH, null);
    now += 6_000;
    await assert.rejects(open(), {
      kind: 'transactionPending',
      message: `transaction ${HASH} is not in a block of eth yet`,
    });
    chain.blocks.delete(HASH);
    await assert.rejects(open(), { kind: 'transactionNotFound' });
  });

  it('of a block are answered after it was replaced, as long as they are kept', async () => {
    let now = 1_000;
    const { bytes } = await recordingsOf().open();
    const { chain, open, rpc, located } = recordingsOf({
      clock: { now: () => now },
      keptBytes: bytes * 1.5,
    });
    const first = await open();
    const block = toWord(7n);
    chain.blocks.set(HASH, toWord(8n));
    now += 10_000;
    const { length } = rpc.calls;
    assert.equal(await open(HASH, { block }), first);
    assert.deepEqual([rpc.calls.length, located.length], [length, 1]);
    assert.notEqual(await open(), first); // takes its place
    await assert.rejects(open(HASH, { block }), {
      kind: 'transactionNotFound',
      message: `transaction ${HASH} is no longer in block ${block} of eth, and the recording of that block is no longer kept: debug the transaction again`,
    });
  });

  it('have the names of their user, and new ones after the user changed interfaces', async () => {
    const { open, located, changeInterfaces } = recordingsOf();
    await open(HASH, { user: 'ann' });
    await open(HASH, { user: 'ann' });
    await open(HASH, { user: 'bob' });
    changeInterfaces();
    await open(HASH, { user: 'ann' });
    assert.deepEqual(
      located.map(({ user }) => user),
      ['ann', 'bob', 'ann'],
    );
  });

  it('read the hashes of earlier blocks, all of them after the third', async () => {
    const { open, rpc } = recordingsOf({ code: BLOCKHASHES });
    const { recording } = await open();
    const hashes = [4, 9, 14, 19].map((step) => recording.stateAt(step).frames[0]!.stack);
    assert.deepEqual(
      hashes,
      [1n, 2n, 3n, 4n].map((back) => [NUMBER - back + 1_000n]),
    );
    const blocks = rpc.calls.filter(({ method }) => method === 'eth_getBlockByNumber');
    assert.deepEqual(
      [blocks.length, blocks.slice(0, 4).map(({ params }) => Number(params[0]))],
      [3 + 1 + 252, [299, 298, 297, 296]],
    );
  });

  it('know by the receipt whether empty accounts are part of an old state', async () => {
    const code = assemble('0 0 0 0 0 4660 0 call stop');
    for (const [gasUsed, reason] of [
      [21_061, undefined],
      [46_061, undefined],
      [21_062, 'gas used: 46061 in the recording, 21062 in the receipt'],
    ] as const) {
      const { recorded } = await recordingsOf({ code, gasUsed, hardfork: 'frontier' }).open();
      assert.equal(recorded.verification.reason, reason);
    }
  });

  it('are refused where the node lacks a block whose hash is read', async () => {
    const { open, chain } = recordingsOf({ code: BLOCKHASHES });
    chain.missingBlocks = true;
    await assert.rejects(open(), {
      kind: 'upstreamLacksData',
      message:
        'the node of eth does not return block 299, whose hash the transaction reads: use an endpoint of the chain that has it',
    });
  });
});
