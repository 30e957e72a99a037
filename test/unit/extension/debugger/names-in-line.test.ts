import assert from 'node:assert/strict';
import { expressionAt, namesOfLine } from '../../../../extension/debugger/names-in-line';

const names = (line: string): string[] => namesOfLine(line).map(({ name }) => name);

describe('names in a line of Solidity', () => {
  it('are variables, each once', () => {
    assert.deepEqual(names('    uint256 amount = balanceOf[account] + amount * 1e18;'), [
      'amount',
      'balanceOf[account]',
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

describe('the expression under the pointer', () => {
  const TEXT = '  x = users[ids[0]].balance + pool().fee;';
  const at = (word: string): string | undefined => {
    const found = expressionAt(TEXT, TEXT.indexOf(word) + 1);
    return found && TEXT.slice(found.start, found.end);
  };

  it('has the members and indices before the name', () => {
    assert.equal(at('balance'), 'users[ids[0]].balance');
    assert.equal(at('users'), 'users');
    assert.equal(at('ids'), 'ids');
  });

  it('is none for members of a result, and between names', () => {
    assert.equal(at('fee'), undefined);
    assert.equal(expressionAt(TEXT, 0), undefined);
  });
});
