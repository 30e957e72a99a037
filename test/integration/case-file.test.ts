import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenCaseView, WrittenCase } from '../../server/api/cases';
import type { Fork, ForkTransactions } from '../../server/api/fork';
import { everything, Reader, type Answers } from '../support/case-answers';
import { call } from '../support/json-rpc';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork, localProject, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const SENDER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
/** The analysis of the transaction, sent again on a fork right before it. */
async function onFork(
  service: TestService,
  chain: string,
  data: string,
  to: string,
): Promise<string> {
  const fork = await createFork(service, { chainId: 31337, chain, height: '0x8', position: 0 });
  const hash = await call(fork.rpc, 'eth_sendTransaction', { from: SENDER, to, data });
  const reader = new Reader(service, fork.forkId);
  const analysis = await reader.read(`/v1/explorer/<chain>/transaction/${hash}/analysis`);
  const path = `/v1/project/${await localProject(service)}/fork/${fork.forkId}`;
  const listed = await service.request<ForkTransactions>('GET', `${path}/transactions`);
  assert.equal(listed.data.transactions.length, 1);
  await service.request<Fork>('DELETE', path);
  return analysis;
}

describe('a case file', function () {
  this.timeout(240_000);
  const hash = sandboxHash('swap-two-hops');
  let folder: string;
  let file: string;
  let written: WrittenCase;
  let expected: Answers;
  let expectedOnFork: string;
  let sent: { data: string; to: string };

  before(async () => {
    folder = await makeTemporaryDirectory();
    file = join(folder, 'swap.forklens');
    const online = await startService({ counted: true, args: ['--sandbox'] });
    try {
      const path = `/v1/explorer/sandbox/transaction/${hash}/case`;
      const { message, data } = await online.request<WrittenCase>('POST', path, { body: { file } });
      assert.equal(message, 'OK');
      written = data;
      expected = await everything(online, 'sandbox', hash);
      const flow = JSON.parse(
        expected.get(`/v1/explorer/<chain>/transaction/${hash}/invocation-flow ""`) ?? '',
      ) as { dataMap: Record<string, { invocation: { callData: string; address: string } }> };
      const { callData, address } = flow.dataMap['0']!.invocation;
      sent = { data: callData, to: address };
      expectedOnFork = await onFork(online, 'sandbox', sent.data, sent.to);
    } finally {
      await online.stop();
    }
  });
  after(() => removeDirectory(folder));

  it('has less than 1 MB for an analysed swap', async () => {
    const { size } = await stat(file);
    assert.equal(written.bytes, size);
    assert.ok(size < 1_000_000, `${size} bytes`);
  });

  describe('opened where its chain is not', () => {
    let offline: TestService;
    let dataDir: string;
    let opened: OpenCaseView;
    before(async () => {
      dataDir = await makeTemporaryDirectory();
      offline = await startService({ counted: true, dataDir });
      const { data, message } = await offline.request<OpenCaseView>('POST', '/v1/case', {
        body: { file },
      });
      assert.equal(message, 'OK');
      opened = data;
    });
    after(async () => {
      await offline.stop();
      await removeDirectory(dataDir);
    });

    it('is a chain that is named after its hash', async () => {
      assert.equal(opened.id, written.id);
      assert.equal(opened.chain, `case-${written.id.slice(0, 12)}`);
      assert.equal(opened.ofChain, 'sandbox');
      const { data } = await offline.request<OpenCaseView[]>('GET', '/v1/cases');
      assert.deepEqual(data, [opened]);
      const again = await offline.request<OpenCaseView>('POST', '/v1/case', { body: { file } });
      assert.deepEqual(again.data, opened);
    });

    it('has the same views, recording and simulation, byte for byte', async () => {
      const found = await everything(offline, opened.chain, hash);
      assert.deepEqual([...found.keys()], [...expected.keys()]);
      for (const [path, answer] of expected) assert.equal(found.get(path), answer, path);
    });

    it('has the same fork right before its transaction, byte for byte', async () => {
      assert.equal(await onFork(offline, opened.chain, sent.data, sent.to), expectedOnFork);
    });

    it('names what it does not contain', async () => {
      const unknown = `0x${'12'.repeat(20)}`;
      const path = `/v1/explorer/${opened.chain}/address/${unknown}`;
      const { code, message } = await offline.request('GET', path);
      assert.equal(code, 50201);
      assert.match(message, /^the case file does not contain eth_get\w+ \["0x(12){20}","0x\w+"\]$/);
    });

    it('is open after a restart, until it is closed', async () => {
      await offline.stop();
      offline = await startService({ counted: true, dataDir });
      const { data } = await offline.request<OpenCaseView[]>('GET', '/v1/cases');
      assert.deepEqual(data, [opened]);
      const path = `/v1/case/${opened.chain}`;
      assert.equal((await offline.request('DELETE', path)).message, 'OK');
      const { code } = await offline.request(
        'GET',
        `/v1/explorer/${opened.chain}/transaction/${hash}/analysis`,
      );
      assert.equal(code, 40404);
      const again = await offline.request('DELETE', path);
      assert.equal(again.code, 40411);
      assert.equal(again.message, `no open case is named ${opened.chain}; open: none is open`);
    });
  });
});
