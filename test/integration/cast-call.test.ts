import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { flowPart } from '../../media/inspector/protocol/analysis-parts';
import { buildCallTree } from '../../media/inspector/model/tree-model';
import { castCall } from '../../media/inspector/copy/cast-call';
import type { Invocation } from '../../server/api/explorer';
import type { Hash } from '../../server/api/primitives';
import type { Sandbox } from '../../server/chains/sandbox/sandbox';
import { startTestSandbox } from '../support/sandbox';
import { analysisOf } from '../support/sandbox-analysis';
import { sandboxHash } from '../support/sandbox-hashes';

const BINARIES = join(__dirname, '../../node_modules/.bin');

describe('copied cast calls', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startTestSandbox();
  });
  after(() => sandbox.stop());

  /** The command of the first matching call, run by a shell like a user would run it. */
  async function run(
    name: string,
    wanted: (call: Invocation) => boolean,
  ): Promise<{ call: Invocation; output: string; error: string }> {
    const answer = await analysisOf(sandbox).invocationFlow({
      chain: 'sandbox',
      hash: sandboxHash(name) as Hash,
    });
    const tree = buildCallTree(flowPart(answer).rows);
    const index = tree.rows.findIndex((row) => row.nodeType === 0 && wanted(row.invocation));
    const row = tree.rows[index];
    assert.ok(row?.nodeType === 0, `${name} has no such call`);
    const cast = castCall(tree, index, answer.transaction.blockNumber);
    assert.ok(cast.ok);
    const { stdout, stderr } = await promisify(execFile)('/bin/sh', ['-c', cast.command], {
      env: {
        PATH: `${BINARIES}:${process.env['PATH'] ?? ''}`,
        HOME: '/nonexistent',
        ETH_RPC_URL: sandbox.engine.url,
        FOUNDRY_DISABLE_NIGHTLY_WARNING: '1',
      },
    });
    return { call: row.invocation, output: stdout.trim(), error: stderr };
  }

  it('return the result of the original call', async () => {
    const { call, output } = await run(
      'permit-and-swap',
      ({ operation, decodedMethod }) =>
        operation === 'STATICCALL' && decodedMethod?.name === 'ecRecover',
    );
    assert.equal(output, call.output);
  });

  it('run borrowed code in the account that borrowed it', async () => {
    const { call, output } = await run(
      'proxy-mint',
      ({ operation }) => operation === 'DELEGATECALL',
    );
    assert.equal(call.status, true);
    assert.equal(output, '0x');
  });

  it('create a contract with the sent value', async () => {
    const { call, output } = await run('create', ({ operation }) => operation === 'CREATE');
    assert.equal(output, call.output);
  });

  it('fail like the original call', async () => {
    const { call, output, error } = await run('error-string', ({ status }) => !status);
    assert.equal(output, '');
    assert.ok(error.includes(`execution reverted: ${call.revertMessage}`), error);
  });
});
