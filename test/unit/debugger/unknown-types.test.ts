import assert from 'node:assert/strict';
import type { ProgramFacts } from '../../../server/debugger/languages/port/program-facts';
import { debug, shown } from './debugged';
import { CALLER } from './record';

const TEXT = `pragma solidity ^0.8.0;
contract Odd {
    struct Mixed { uint256 first; fixed128x18 odd; uint256 last; }
    Mixed mixed;
    mapping(uint256 => Mixed) others;
    uint256 total;
    event Done();
    function run(address empty) external {
        mixed.first = 1;
        total = 7;
        (bool ok, ) = empty.call("");
        total = ok ? 8 : 9;
        emit Done();
    }
}
`;

const EMPTY = `0x${'ee'.repeat(20)}`;

const run = (facts?: (facts: ProgramFacts) => ProgramFacts) =>
  debug({
    text: TEXT,
    contract: 'Odd',
    call: 'function run(address)',
    values: [EMPTY],
    others: { [EMPTY]: '' },
    ...(facts && { facts }),
  });

describe('variables of a type that is not known', () => {
  it('are unavailable as members of a struct, and not read as numbers', () => {
    const at = run().at('emit Done');
    assert.deepEqual(shown(at.list('state').variables), [
      'mixed: the type of its member odd is not known',
      'others = 0 known keys',
      'total = 8',
    ]);
    assert.throws(() => at.children('state:mixed'), {
      message: 'the type of its member odd is not known',
    });
    assert.equal(at.evaluate('mixed.last').unavailable, 'the type of its member odd is not known');
  });

  it('leave no part of a struct as its place: all slots are known by the layout, or none', () => {
    const at = run().at('emit Done');
    const place = (expression: string): unknown => {
      const { location, slot, slots } = at.evaluate(expression);
      return [location, slot, slots];
    };
    assert.deepEqual(place('mixed'), ['storage', `0x${'0'.repeat(64)}`, 3]);
    assert.deepEqual(place('others[1]'), ['storage', undefined, undefined]);
  });

  it('leave all places unknown without the storage layout', () => {
    const at = run((facts) => ({ ...facts, layout: undefined })).at('emit Done');
    const reason =
      'its place cannot be computed without the storage layout: the type of its member odd is not known';
    assert.deepEqual(
      shown(at.list('state').variables),
      ['mixed', 'others', 'total'].map((name) => `${name}: ${reason}`),
    );
    assert.equal(at.list('state').unavailable, reason);
  });

  it('are unavailable where the layout alone is known and lacks the type', () => {
    const at = run((facts) => {
      const layout = structuredClone(facts.layout!) as { types: Record<string, unknown> };
      delete layout.types['t_uint256'];
      return { ...facts, trees: new Map(), layout: layout as ProgramFacts['layout'] };
    }).at('emit Done');
    assert.deepEqual(shown(at.list('state').variables), [
      'mixed = 3 members',
      'others: its type t_mapping(t_uint256,t_struct(Mixed)8_storage) is not known',
      'total: its type t_uint256 is not known',
    ]);
    assert.deepEqual(shown(at.children('state:mixed').variables), [
      'first: the storage layout does not describe its type t_uint256',
      `odd: the transaction does not touch the slot 0x${'1'.padStart(64, '0')} of ${CALLER}: its value is not read`,
      'last: the storage layout does not describe its type t_uint256',
    ]);
  });
});

describe('a storage layout of other names', () => {
  it('gives no places to variables that it does not name', () => {
    const at = run((facts) => {
      const { layout } = facts;
      const storage = layout!.storage.map((one) => ({ ...one, label: `${one.label}2` }));
      return { ...facts, layout: { ...layout!, storage } };
    }).at('emit Done');
    assert.deepEqual(shown(at.list('state').variables).slice(1), [
      'others2 = 0 known keys',
      'total2 = 8',
      'mixed: the storage layout does not contain it',
      'others: the storage layout does not contain it',
      'total: the storage layout does not contain it',
    ]);
  });
});

describe('the code hash of an account', () => {
  it('is zero for one that is not in the state', () => {
    const at = run().at('emit Done');
    assert.equal(at.evaluate('empty.codehash').value, `0x${'00'.repeat(32)}`);
    assert.match(at.evaluate('msg.sender.codehash').value, /^0xc5d24601/);
  });
});
