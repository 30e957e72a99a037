import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import { CHEATCODES } from '../../../../server/contracts/abi/built-in/cheatcodes';
import { effectOf, readCheat } from '../../../../server/debugger/forge/cheatcodes';
import { Pranks } from '../../../../server/debugger/forge/pranks';
import type { Machine } from '../../../../server/evm/interpreter/machine';

const abi = new Interface(CHEATCODES);
const [ALICE, BOB] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`];
const cheat = (name: string, ...args: unknown[]) => {
  const found = readCheat(abi.encodeFunctionData(name, args));
  assert.ok(found);
  return found;
};

describe('cheatcodes', () => {
  it('are read by their data; others are not known', () => {
    assert.deepEqual(cheat('warp', 5n), { name: 'warp', args: [5n] });
    assert.equal(readCheat('0x12345678'), undefined);
    assert.equal(readCheat('0xe5d6bf02'), undefined);
  });

  it('change accounts, storage and the block', () => {
    const done: unknown[] = [];
    const machine = {
      world: {
        update: (...args: unknown[]) => done.push(['update', ...args]),
        setStorage: (...args: unknown[]) => done.push(['setStorage', ...args]),
      },
      setBlock: (change: object) => done.push(['setBlock', change]),
    } as unknown as Machine;
    const word = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`;
    for (const one of [
      cheat('deal', ALICE, 7n),
      cheat('etch', ALICE, '0x6001'),
      cheat('setNonce', ALICE, 3n),
      cheat('store', ALICE, word(1), word(2)),
      cheat('warp', 9n),
      cheat('roll', 10n),
      cheat('fee', 11n),
      cheat('coinbase', BOB),
      cheat('prevrandao(uint256)', 12n),
      cheat('difficulty', 13n),
    ]) {
      effectOf(one)?.(machine);
    }
    assert.deepEqual(done, [
      ['update', ALICE, { balance: 7n }],
      ['update', ALICE, { code: Buffer.from('6001', 'hex') }],
      ['update', ALICE, { nonce: 3 }],
      ['setStorage', ALICE, 1n, 2n],
      ['setBlock', { timestamp: 9n }],
      ['setBlock', { number: 10n }],
      ['setBlock', { baseFee: 11n }],
      ['setBlock', { coinbase: BOB }],
      ['setBlock', { random: 12n }],
      ['setBlock', { random: 13n }],
    ]);
    assert.equal(effectOf(cheat('assume', true)), undefined);
  });

  it('make calls those of another account: the next one, or all until they are stopped', () => {
    const pranks = new Pranks();
    pranks.note(cheat('prank(address)', ALICE), BOB, 1);
    assert.equal(pranks.take(BOB, 2), undefined);
    assert.equal(pranks.take(ALICE, 1), undefined);
    assert.equal(pranks.take(BOB, 1), ALICE);
    assert.equal(pranks.take(BOB, 1), undefined);
    pranks.note(cheat('startPrank(address)', ALICE), BOB, 0);
    assert.deepEqual([pranks.take(BOB, 0), pranks.take(BOB, 0)], [ALICE, ALICE]);
    pranks.note(cheat('stopPrank'), BOB, 0);
    assert.equal(pranks.take(BOB, 0), undefined);
  });
});
