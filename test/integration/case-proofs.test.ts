import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { VerifiedCase, WrittenCase } from '../../server/api/cases';
import { sandboxHash } from '../support/sandbox-hashes';
import { startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

describe('the proofs of a case file', function () {
  this.timeout(120_000);
  let service: TestService;
  let folder: string;
  let file: string;
  let written: WrittenCase;
  const verify = (body: object) =>
    service.request<VerifiedCase>('POST', '/v1/case/verify', { body });

  before(async () => {
    folder = await makeTemporaryDirectory();
    file = join(folder, 'swap.forklens');
    service = await startService({ counted: true, args: ['--sandbox'] });
    const hash = sandboxHash('swap-two-hops');
    const path = `/v1/explorer/sandbox/transaction/${hash}/case`;
    const { message, data } = await service.request<WrittenCase>('POST', path, {
      body: { file, prove: true },
    });
    assert.equal(message, 'OK');
    written = data;
  });
  after(async () => {
    await service.stop();
    await removeDirectory(folder);
  });

  it('prove the state before by the hash of the block', async () => {
    const { message, data } = await verify({ file, hash: written.block.hash });
    assert.equal(message, 'OK');
    assert.equal(data.why, undefined);
    assert.equal(data.level, 'state');
    assert.equal(data.trusted, true);
    assert.ok(written.bytes < 1_000_000, `${written.bytes} bytes`);
  });

  it('are of no other block', async () => {
    const { code, message } = await verify({ file, hash: `0x${'1'.repeat(64)}` });
    assert.equal(code, 42205);
    assert.equal(
      message,
      `the case file is refused: it is of block ${written.block.hash}, and 0x${'1'.repeat(64)} was given`,
    );
  });
});
