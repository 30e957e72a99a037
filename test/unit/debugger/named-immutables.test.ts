import assert from 'node:assert/strict';
import type { NamedImmutable } from '../../../server/contracts/sources/immutables';
import { debug, shown, type Debugged } from './debugged';

const TEXT = `pragma solidity ^0.8.0;
interface Token {}
contract Base {
    uint256 private immutable rate = 0;
}
contract Heir is Base {
    address immutable owner = address(0);
    Token immutable token = Token(address(0));
    uint256 private immutable rate = 0;
    uint8 private immutable total = 0;
    uint256 constant limit = 4;
    uint256 count;
    event Done();
    function run() external {
        count = uint160(owner) + uint160(address(token)) + rate + total + limit;
        emit Done();
    }
}
`;

/** As a source map gives them. The code has one range of zeros for each. */
const NAMED: readonly [name: string, type: string][] = [
  ['owner', 'address'],
  ['token', 'Token'],
  ['rate', 'uint256'],
  ['rate', 'uint256'],
  ['count', 'uint8'],
  ['', ''],
];

const run = (withLayout = true): Debugged =>
  debug({
    text: TEXT,
    contract: 'Heir',
    call: 'function run()',
    facts: (facts) => {
      const ranges = Object.entries(facts.immutables ?? {});
      const namedImmutables = ranges.length > 0 ? NAMED.map(named(ranges)) : [];
      const layout = withLayout ? facts.layout : undefined;
      return { ...facts, trees: new Map(), layout, namedImmutables };
    },
  });

type Ranges = [id: string, ranges: NamedImmutable['ranges']][];
const named =
  (ranges: Ranges) =>
  ([name, type]: (typeof NAMED)[number], index: number): NamedImmutable => {
    const [id, places] = ranges[index % ranges.length]!;
    return { id, name, type, ranges: places };
  };

const SHARED = 'other variables have its name, and the syntax tree of its source is not known';

describe('immutables of a contract without a syntax tree', () => {
  it('have values by the types in the text, and words where the type is not known', () => {
    const at = run().at('emit Done');
    const { variables } = at.list('state');
    assert.deepEqual(shown(variables), [
      'count = 4',
      `owner = 0x${'0'.repeat(40)}`,
      `token = 0x${'0'.repeat(64)}`,
      `rate: ${SHARED}`,
      `rate: ${SHARED}`,
      `count: ${SHARED}`,
    ]);
    assert.deepEqual(
      variables.map(({ type }) => type),
      ['uint256', 'address', 'Token', 'uint256', 'uint256', 'uint8'],
    );
    assert.equal(at.evaluate('owner == address(0)').value, 'true');
    assert.equal(at.evaluate('rate').unavailable, SHARED);
    assert.throws(() => at.evaluate('token + 1'), /is not of type Token/);
  });

  it('are known without a storage layout, which is said to be unknown', () => {
    const { variables, unavailable } = run(false).at('emit Done').list('state');
    assert.deepEqual(shown(variables.slice(0, 2)), [
      `owner = 0x${'0'.repeat(40)}`,
      `token = 0x${'0'.repeat(64)}`,
    ]);
    assert.equal(unavailable, 'neither its storage layout nor its syntax tree is known');
  });

  it('leave constants unknown', () => {
    assert.throws(() => run().at('emit Done').evaluate('limit'), /limit/);
  });
});
