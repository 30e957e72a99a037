import assert from 'node:assert/strict';
import { namesOfLine } from '../../../../extension/debugger/names-in-line';

const names = (line: string): string[] => namesOfLine(line).map(({ name }) => name);

describe('names in a line of Solidity', () => {
  it('are variables, each once', () => {
    assert.deepEqual(names('    uint256 amount = balanceOf[account] + amount * 1e18;'), [
      'amount',
      'balanceOf',
      'account',
    ]);
    assert.deepEqual(namesOfLine('  total += x;'), [
      { name: 'total', start: 2 },
      { name: 'x', start: 11 },
    ]);
  });

  it('are no types, keywords, members or called functions', () => {
    assert.deepEqual(names('(bool sent,) = msg.sender.call{value: amount}("");'), [
      'sent',
      'value',
      'amount',
    ]);
    assert.deepEqual(names('return vault.withdraw(bytes32(0));'), ['vault']);
  });

  it('are not in comments and strings', () => {
    assert.deepEqual(names('/// the amount'), []);
    assert.deepEqual(names(' * the amount'), []);
    assert.deepEqual(names('require(ok, "no amount"); // of it'), ['ok']);
  });
});
