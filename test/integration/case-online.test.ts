import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenCaseView } from '../../server/api/cases';
import type { AddressFacts } from '../../server/api/lookup';
import { JsonService } from '../support/json-service';
import { sandboxHash } from '../support/sandbox-hashes';
import { startService, type Answer, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

/** Of no transaction of the case. */
const STRANGER = `0x${'12'.repeat(20)}`;
const OTHER = `0x${'13'.repeat(20)}`;
const NOT_CONTAINED = /^the case file does not contain eth_get\w+ \["0x(12|13){20}","0x\w+"\]$/;

describe('a case file that is opened online', function () {
  this.timeout(120_000);
  let folder: string;
  let dataDir: string;
  let file: string;
  let service: TestService;

  before(async () => {
    folder = await makeTemporaryDirectory();
    dataDir = await makeTemporaryDirectory();
    file = join(folder, 'one.forklens');
    service = await startService({ counted: true, args: ['--sandbox'], dataDir });
    const path = `/v1/explorer/sandbox/transaction/${sandboxHash('swap-two-hops')}/case`;
    assert.equal((await service.request('POST', path, { body: { file } })).message, 'OK');
  });
  after(async () => {
    await service.stop();
    await removeDirectory(folder);
    await removeDirectory(dataDir);
  });

  const open = async (online: boolean): Promise<OpenCaseView> => {
    const body = { file, online };
    const { data, message } = await service.request<OpenCaseView>('POST', '/v1/case', { body });
    assert.equal(message, 'OK');
    assert.equal(data.online, online);
    return data;
  };
  const factsOf = (chain: string, address: string): Promise<Answer<AddressFacts>> =>
    service.request<AddressFacts>('GET', `/v1/explorer/${chain}/address/${address}`);

  it('reads what it lacks from its chain', async () => {
    const { chain } = await open(false);
    assert.match((await factsOf(chain, STRANGER)).message, NOT_CONTAINED);
    await open(true);
    const { data } = await factsOf(chain, STRANGER);
    assert.deepEqual([data.kind, data.balance, data.nonce], ['account', '0', 0]);
  });

  it('keeps what was read, and names what was not, once it is opened without a network', async () => {
    const { chain } = await open(false);
    assert.equal((await factsOf(chain, STRANGER)).message, 'OK');
    assert.match((await factsOf(chain, OTHER)).message, NOT_CONTAINED);
  });

  it('is offline after a restart, with what was read', async () => {
    const before = await readFile(file);
    await service.stop();
    service = await startService({ counted: true, args: ['--sandbox'], dataDir });
    const { data } = await service.request<OpenCaseView[]>('GET', '/v1/cases');
    const [{ chain, online } = { chain: '', online: true }] = data;
    assert.equal(online, false);
    assert.equal((await factsOf(chain, STRANGER)).message, 'OK');
    assert.match((await factsOf(chain, OTHER)).message, NOT_CONTAINED);
    assert.deepEqual(await readFile(file), before);
    await service.request('DELETE', `/v1/case/${chain}`);
    assert.deepEqual(await readdir(join(dataDir, 'cases')), []);
  });

  it('is refused where its chain is not configured, or has another block', async () => {
    const node = await JsonService.start(() => ({
      body: { jsonrpc: '2.0', id: 1, result: { number: '0x8', hash: `0x${'ab'.repeat(32)}` } },
    }));
    const chains = [{ slug: 'other', chainId: 31337, rpcUrls: [node.url] }];
    const without = await startService({ counted: true });
    const other = await startService({ counted: true, config: { chains } });
    try {
      const body = { file, online: true };
      const missing = await without.request('POST', '/v1/case', { body });
      assert.equal(
        missing.message,
        'the case file is refused: no chain with its id 31337 is configured to read from',
      );
      const different = await other.request('POST', '/v1/case', { body });
      assert.match(
        different.message,
        /^the case file is refused: at 0x8 it has block 0x\w{64}, and the node of its chain has 0x(ab){32}$/,
      );
    } finally {
      await without.stop();
      await other.stop();
      await node.close();
    }
  });
});
