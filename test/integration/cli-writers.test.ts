import assert from 'node:assert/strict';
import type { Writer } from '../../server/api/recording-writers';
import type { StateDiff } from '../../server/api/views';
import { sandboxHash } from '../support/sandbox-hashes';
import { useCommandLine } from './cli-suite';

describe('tx state --writers', function () {
  this.timeout(60_000);
  const suite = useCommandLine();

  it('prints each write of each changed value, in order, also those that are undone', async () => {
    const hash = sandboxHash('caught-revert');
    const text = await suite.cli.text('tx', 'state', 'sandbox', hash, '--writers');
    const [head = '', ...rows] = text.split('\n').map((line) => line.trim());
    assert.match(head, /^ACCOUNT +WHAT +STEP +CODE +LINE +BEFORE +AFTER/);
    const [first = '', ...others] = rows.filter((row) => row !== '');
    assert.match(first, /^carol 0x90f79bf6\S+ +nonce +start +the transaction +14 +15$/);
    const payroll = others.filter((row) => row.includes(' 10000000000 '));
    assert.equal(payroll.length, 1);
    assert.match(
      payroll[0] ?? '',
      /^hUSD 0xcf7ed3ac\S+ +balanceOf\[0x[0-9a-f]{40}\] +693 +HarborDollar\._transfer +TokenBase\.sol:37 +10000000000 +9100000000$/,
    );
    assert.equal(others.filter((row) => row.endsWith('rolled back')).length, 1);
  });

  it('prints JSON of the difference with its writers', async () => {
    const hash = sandboxHash('caught-revert');
    const args = ['tx', 'state', 'sandbox', hash, '--writers'] as const;
    const { stateDiff, writers } = await suite.cli.json<StateDiff & { writers: Writer[] }>(...args);
    assert.equal(stateDiff.accounts.length, 3);
    const [nonce, first] = writers;
    assert.deepEqual(
      [nonce?.kind, nonce?.step, nonce?.before, nonce?.after],
      ['nonce', null, '14', '15'],
    );
    assert.deepEqual(
      [first?.step, first?.contractName, first?.function, first?.place?.startLine, first?.isUndone],
      [693, 'HarborDollar', '_transfer', 37, false],
    );
  });
});
