import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FailedTransaction } from '../../../server/cli/ci/failed-transactions';
import { writeReport } from '../../../server/cli/ci/report';
import { makeTemporaryDirectory, removeDirectory } from '../../support/temporary-directory';

const HASH = `0x${'ab'.repeat(32)}`;

describe('the report of a job', () => {
  let folder: string;
  before(async () => {
    folder = await makeTemporaryDirectory();
  });
  after(() => removeDirectory(folder));

  const failed: FailedTransaction = {
    fork: 'JOB_URL',
    forkId: `fork_${'0'.repeat(32)}`,
    transaction: {
      hash: HASH,
      from: `0x${'01'.repeat(20)}`,
      to: `0x${'02'.repeat(20)}`,
      value: '0',
      selector: '0xa9059cbb',
      method: 'transfer',
      status: false,
      gasUsed: 30_000,
      blockNumber: 9,
      transactionIndex: 0,
      timestamp: 1_735_689_600,
    },
    analysis: null,
    problem: 'the fork is gone',
  };
  const report = { code: 1, isCancelled: false, failed: [failed], omitted: 0, missing: [] };

  it('names the case file of a failed transaction', async () => {
    const asked: string[] = [];
    const written = await writeReport(folder, report, undefined, (_, file) => {
      asked.push(file);
      return Promise.resolve('');
    });
    const file = join(folder, `JOB_URL-${HASH.slice(0, 18)}.forklens`);
    assert.deepEqual(asked, [file]);
    assert.deepEqual(written.transactions[0]?.files, [file]);
    assert.equal(written.transactions[0].caseProblem, '');
    assert.match(await readFile(written.summary, 'utf8'), /^Reports: `.*\.forklens`$/m);
  });

  it('says why there is no case file, as a text that cannot end its code', async () => {
    const written = await writeReport(folder, report, undefined, () =>
      Promise.resolve('only the `local` user can'),
    );
    assert.deepEqual(written.transactions[0]?.files, []);
    assert.equal(written.transactions[0].caseProblem, 'only the `local` user can');
    const summary = await readFile(written.summary, 'utf8');
    assert.match(summary, /^No case file: `only the 'local' user can`$/m);
    assert.doesNotMatch(summary, /Reports:/);
  });
});
