import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCreateAddress } from 'ethers';
import type { InvocationFlow } from '../../server/api/explorer';
import { Foundry } from '../support/foundry';
import { runCliJson, startService, type TestService } from '../support/service';
import { ALICE, ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

const PATH = '/v1/artifact-folders';

describe('folders with build output', function () {
  this.timeout(60_000);
  let engines: TestEngines;
  let foundry: Foundry;
  let chain: TestChain;
  let service: TestService;
  let hash = '';
  const vault = getCreateAddress({ from: ALICE.address, nonce: 0 }).toLowerCase();

  before(async () => {
    engines = await testEngines();
    foundry = await Foundry.open(engines.home);
    await foundry.forge('build');
    chain = await TestChain.start(engines.start);
    const artifact = await readFile(join(foundry.project, 'out/Vault.sol/Vault.json'), 'utf8');
    const { object } = (JSON.parse(artifact) as { bytecode: { object: string } }).bytecode;
    hash = await chain.send(ALICE, { data: object, gasLimit: 2_000_000 });
    await chain.mine();
    service = await startService({
      config: {
        chains: [ethChain(chain.engine.url)],
        abi: { artifacts: [], sourcify: { enabled: false }, signatures: { enabled: false } },
        prices: { source: 'none' },
      },
    });
  });
  after(async () => {
    await service.stop();
    await engines.close();
  });

  const flow = async (of = hash): Promise<InvocationFlow> => {
    const path = `/v1/explorer/eth/transaction/${of}/invocation-flow`;
    return (await service.request<InvocationFlow>('GET', path)).data;
  };
  const labels = async (): Promise<InvocationFlow['labels']> => (await flow()).labels;

  it('are used once they are added: earlier analyses are decoded again', async () => {
    assert.equal((await labels())[vault], undefined);
    const folder = join(foundry.project, 'out');
    const added = await service.request('PUT', PATH, { body: { folders: [folder, folder] } });
    assert.deepEqual(added.data, { folders: [folder] });
    assert.equal((await labels())[vault], 'Vault');
  });

  it('identify contracts of a deployment script, even if their code was compiled differently later', async () => {
    await chain.engine.rpc.request('evm_setAutomine', [true]);
    await foundry.forge(
      'script',
      'script/Deploy.s.sol',
      '--rpc-url',
      chain.engine.url,
      '--broadcast',
      '--private-key',
      ALICE.privateKey,
    );
    const deployed = getCreateAddress({ from: ALICE.address, nonce: 1 }).toLowerCase();
    const data = `0x6057361d${'8'.padStart(64, '0')}`; // store(8)
    const stored = await chain.send(ALICE, { to: deployed, data, nonce: 4 });
    await foundry.forge('build', '--force', '--optimize', 'true');
    const folders = [join(foundry.project, 'out')];
    await service.request('PUT', PATH, { body: { folders } });
    const { labels, dataMap } = await flow(stored);
    assert.equal(labels[deployed], 'Vault');
    const call = dataMap['0']!;
    assert.ok('invocation' in call);
    const { signature, source, callParams } = call.invocation.decodedMethod!;
    assert.deepEqual([signature, source], ['store(uint256)', 'artifact']);
    assert.deepEqual(callParams, [{ name: 'amount', type: 'uint256', value: '8' }]);
    const log = dataMap['1']!;
    assert.ok('event' in log);
    assert.equal(log.event.decodedLog.source, 'artifact');
  });

  it('must be absolute paths', async () => {
    const { code, message } = await service.request('PUT', PATH, {
      body: { folders: ['./out', 7] },
    });
    assert.equal(code, 40001);
    assert.match(message, /folders\[0\].*\.\/out.*absolute path/);
    assert.match(message, /folders\[1\].*absolute path/);
  });

  it('are not available to users of a shared service', async () => {
    const cli = <T>(...args: string[]) => runCliJson<T>(service.dataDir, ...args);
    await cli('user', 'add', '--nickname', 'eve', '--email', 'eve@example.org');
    const { key } = await cli<{ key: string }>('key', 'create', '--user', 'eve@example.org');
    const { code, message } = await service.request('PUT', PATH, { key, body: { folders: [] } });
    assert.equal(code, 40302);
    assert.match(message, /PUT \/v1\/abi/);
  });
});
