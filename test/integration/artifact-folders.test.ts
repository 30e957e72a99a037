import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { getCreateAddress } from 'ethers';
import type { InvocationFlow } from '../../server/api/explorer';
import { Foundry } from '../support/foundry';
import { runCliJson, startService, type TestService } from '../support/service';
import { ALICE, testEngines, TestChain, type TestEngines } from './fork-upstream';

const PATH = '/v1/artifact-folders';

describe('folders of build output', function () {
  this.timeout(60_000);
  let engines: TestEngines;
  let foundry: Foundry;
  let service: TestService;
  let hash = '';
  const vault = getCreateAddress({ from: ALICE.address, nonce: 0 }).toLowerCase();

  before(async () => {
    engines = await testEngines();
    foundry = await Foundry.open(engines.home);
    await foundry.forge('build');
    const chain = await TestChain.start(engines.start);
    const artifact = await readFile(join(foundry.project, 'out/Vault.sol/Vault.json'), 'utf8');
    const { object } = (JSON.parse(artifact) as { bytecode: { object: string } }).bytecode;
    hash = await chain.send(ALICE, { data: object, gasLimit: 2_000_000 });
    await chain.mine();
    service = await startService({
      config: {
        chains: [{ slug: 'eth', chainId: 1, rpcUrls: [chain.engine.url] }],
        abi: { artifacts: [], sourcify: { enabled: false }, signatures: { enabled: false } },
        prices: { source: 'none' },
      },
    });
  });
  after(async () => {
    await service.stop();
    await engines.close();
  });

  const labels = async (): Promise<InvocationFlow['labels']> => {
    const path = `/v1/explorer/eth/transaction/${hash}/invocation-flow`;
    return (await service.request<InvocationFlow>('GET', path)).data.labels;
  };

  it('are looked into from then on: what was analysed without them is decoded anew', async () => {
    assert.equal((await labels())[vault], undefined);
    const folder = join(foundry.project, 'out');
    const added = await service.request('PUT', PATH, { body: { folders: [folder, folder] } });
    assert.deepEqual(added.data, { folders: [folder] });
    assert.equal((await labels())[vault], 'Vault');
  });

  it('must be absolute paths', async () => {
    const { code, message } = await service.request('PUT', PATH, {
      body: { folders: ['./out', 7] },
    });
    assert.equal(code, 40001);
    assert.match(message, /folders\[0\].*\.\/out.*absolute path/);
    assert.match(message, /folders\[1\].*absolute path/);
  });

  it('are not for the users of a shared service', async () => {
    const cli = <T>(...args: string[]) => runCliJson<T>(service.dataDir, ...args);
    await cli('user', 'add', '--nickname', 'eve', '--email', 'eve@example.org');
    const { key } = await cli<{ key: string }>('key', 'create', '--user', 'eve@example.org');
    const { code, message } = await service.request('PUT', PATH, { key, body: { folders: [] } });
    assert.equal(code, 40302);
    assert.match(message, /PUT \/v1\/abi/);
  });
});
