import assert from 'node:assert/strict';
import { AGENT_TOOLS } from '../../../server/agents/tools';

describe('what a user is asked before an agent changes something', () => {
  const asked = Object.entries(AGENT_TOOLS).filter(([, { confirmation }]) => confirmation);

  it('is asked of what creates a fork, and of nothing else', () => {
    assert.deepEqual(
      asked.map(([name]) => name),
      ['create_fork'],
    );
  });

  it('names the fork and its place', () => {
    const [, { confirmation: question }] = asked[0]!;
    assert.ok(question);
    const fork = { name: 'audit {1}', chain: 'eth' };
    assert.equal(question(fork), 'Create the fork "audit {1}" of eth at block safe?');
    assert.equal(
      question({ ...fork, height: '0x10' }),
      'Create the fork "audit {1}" of eth at block 16?',
    );
    assert.equal(
      question({ ...fork, height: '0x10', position: 0 }),
      'Create the fork "audit {1}" of eth at block 16, position 0?',
    );
  });
});
