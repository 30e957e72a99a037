import assert from 'node:assert/strict';
import { stopLine } from '../../../../../extension/debugger/adapter/source-lines';

const TEXT = `contract A {
    // adds; and returns }
    function add(uint256 a)
        external
    {
        sum += a;

        emit Added(a);
    }

    function other() external {
        sum = 0;
    }
}`;
const executed = new Map([6, 8].map((line) => [line, true]));
const at = (line: number): number | undefined => stopLine(executed, TEXT, line);

describe('the line at which a breakpoint stops', () => {
  it('is an executed line itself', () => {
    assert.equal(at(6), 6);
  });
  it('is the next executed one behind heads, comments and blank lines', () => {
    assert.deepEqual([at(2), at(3), at(5), at(7)], [6, 6, 6, 8]);
  });
  it('is none behind other statements and the ends of blocks', () => {
    assert.deepEqual([at(9), at(11), at(12), at(99)], [undefined, undefined, undefined, undefined]);
  });
});
