import assert from 'node:assert/strict';
import { AGENT_TOOLS } from '../../../server/agents/tools';

const FORK = `fork_${'0'.repeat(32)}`;
const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const HASH = `0x${'ab'.repeat(32)}`;

/** The confirmation text of a tool for an input. */
function question(name: string, given: object): string {
  const { input, confirmation } = AGENT_TOOLS[name]!;
  return confirmation!(input.parse(given));
}

describe("the confirmation of an agent's change", () => {
  it('exists for every tool that changes something, and for no other', () => {
    const asked = Object.entries(AGENT_TOOLS).filter(([, { confirmation }]) => confirmation);
    assert.deepEqual(
      asked.map(([name]) => name),
      [
        'create_fork',
        'branch_fork',
        'send_transaction',
        'create_snapshot',
        'revert_fork',
        'create_case',
        'write_case',
        'open_case',
      ],
    );
  });

  it('names the fork and its position', () => {
    const fork = { name: 'audit {1}', chain: 'eth' };
    const create = (place: object): string => question('create_fork', { ...fork, ...place });
    assert.equal(create({}), 'Create the fork "audit {1}" of eth at block safe?');
    for (const height of ['0x10', '16', 16]) {
      assert.equal(create({ height }), 'Create the fork "audit {1}" of eth at block 16?');
    }
    assert.equal(
      create({ height: '0x10', position: 0 }),
      'Create the fork "audit {1}" of eth at block 16, position 0?',
    );
    assert.equal(
      question('branch_fork', { fork: FORK, transaction: HASH, name: 'before' }),
      `Create the fork "before" right before transaction 0xabab…abab of fork ${FORK}?`,
    );
  });

  it('names the sender and the receiver', () => {
    assert.equal(
      question('send_transaction', { fork: FORK, from: ALICE, to: BOB }),
      `Send a transaction from ${ALICE} to ${BOB} on fork ${FORK}?`,
    );
    assert.equal(
      question('send_transaction', { fork: FORK, from: ALICE, data: '0x00' }),
      `Create a contract from ${ALICE} on fork ${FORK}?`,
    );
  });

  it('names the snapshot and the effect of a revert', () => {
    assert.equal(
      question('create_snapshot', { fork: FORK, name: 'deployed' }),
      `Take the snapshot "deployed" of fork ${FORK}?`,
    );
    assert.equal(
      question('revert_fork', { fork: FORK, snapshotId: 'x' }),
      `Revert fork ${FORK} to its snapshot x? Later changes are undone.`,
    );
  });
  it('names the file of a case', () => {
    assert.equal(
      question('create_case', { transaction: HASH, file: 'exploit.forklens' }),
      'Write the case of transaction 0xabab…abab into the file exploit.forklens?',
    );
    const analyses = [{ chain: 'eth', transaction: HASH }];
    assert.equal(
      question('write_case', { analyses, file: 'exploit.forklens' }),
      'Write a case of analyses (1) into the file exploit.forklens?',
    );
    assert.equal(
      question('open_case', { file: 'exploit.forklens' }),
      'Open the case file exploit.forklens? What it holds was written by its sender.',
    );
  });
});
