import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findAnvil } from '../../server/chains/engine/binary';
import {
  EngineNetworks,
  type EngineNetworksOptions,
} from '../../server/chains/engine/engine-networks';
import { IsolatedNetwork, NoIsolation } from '../../server/chains/engine/isolated-network';
import { anvilStarter, type AnvilOptions } from '../../server/chains/engine/engine-process';
import { launchCommand } from '../../server/chains/engine/launch-command';
import type { Fork } from '../../server/api/fork';
import type { StartEngine } from '../../server/evm/forms/engine';
import { UpstreamGateway } from '../../server/chains/upstream/upstream-gateway';
import { eventually } from '../support/eventually';
import { call } from '../support/json-rpc';
import {
  capabilitiesOf,
  commandLineOf,
  isRunning,
  listeningIn,
  networkOf,
  runs,
  socketsOf,
} from '../support/proc';
import { childrenOf } from '../support/processes';
import { createFork, localProject, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { UpstreamProxy, withoutDebugApi } from '../support/upstream-proxy';
import {
  ALICE,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

const KEY = '5ecr3tk3y5ecr3tk3y';

/** Polls the system until the processes have ended, because the end of a process that is not a child is not reported. */
const gone = (pids: readonly number[]): Promise<void> =>
  eventually(() => {
    assert.deepEqual(pids.filter(isRunning), []);
  });

describe('the isolation of engines', function () {
  let engines: TestEngines;
  let chain: TestChain;
  before(async function () {
    engines = await testEngines();
    const network = await IsolatedNetwork.open().catch((error: unknown) => {
      if (!(error instanceof NoIsolation)) throw error;
      return undefined;
    });
    if (!network) this.skip(); // the machine does not allow namespaces
    await network.close();
    chain = await TestChain.start(engines.start);
    await chain.send(ALICE, { to: COUNTER });
    await chain.send(ALICE, { to: COUNTER });
    await chain.mine();
  });
  after(() => engines.close());

  describe('in a service', () => {
    let proxy: UpstreamProxy;
    let dataDir: string;
    let service: TestService;
    let fork: Fork;
    let held: number | undefined;
    beforeEach(async () => {
      proxy = await UpstreamProxy.start(chain.engine.url);
      proxy.fault = withoutDebugApi;
      dataDir = await makeTemporaryDirectory();
      await start();
      fork = await createFork(service, { chainId: 1, height: '0x1' });
    });
    afterEach(async () => {
      if (held !== undefined) closeSync(held);
      held = undefined;
      await service.stop();
      await proxy.close();
      await removeDirectory(dataDir);
    });

    async function start(): Promise<void> {
      const chains = [ethChain(`${proxy.url}/?key=${KEY}`, { hardfork: 'prague' })];
      service = await startService({
        dataDir,
        args: ['--sandbox'],
        config: { chains, prices: { source: 'none' } },
      });
    }

    const children = (name: string): number[] =>
      childrenOf(service.child.pid!).filter((pid) => runs(pid, name));
    const gatekeepers = (): number[] => children('node');

    it('puts the engines of forks, of the sandbox and of analyses into an isolated network', async () => {
      const block = await call<{ transactions: string[] }>(
        chain.engine.url,
        'eth_getBlockByNumber',
        'latest',
        false,
      );
      const path = `/v1/explorer/eth/transaction/${block.transactions[1] ?? ''}/analysis?proof=wait`;
      assert.equal((await service.request('GET', path)).message, 'OK');
      await createFork(service, { chainId: 31337 });
      const pids = children('anvil');
      assert.ok(pids.length >= 4, `the sandbox, two forks and a warm engine: ${pids.length}`);
      const outside = listeningIn('self');
      for (const pid of pids) {
        assert.notEqual(networkOf(pid), networkOf('self'));
        assert.equal(capabilitiesOf(pid), 0n);
        const sockets = socketsOf(pid);
        const inside = listeningIn(pid);
        assert.equal(sockets.filter((inode) => inside.has(inode)).length, 1);
        assert.deepEqual(
          sockets.filter((inode) => outside.has(inode)),
          [],
        );
        const command = commandLineOf(pid).join(' ');
        assert.doesNotMatch(command, new RegExp(`${KEY}|${new URL(proxy.url).port}`));
      }
      // The URLs on the command line do not lead out of the network.
      const ours = children('anvil').flatMap(
        (pid) => /http:\S+/.exec(commandLineOf(pid).join(' '))?.[0] ?? [],
      );
      assert.ok(ours.length >= 2);
      for (const url of ours) assert.match(url, /^http:\/\/127\.0\.0\.1:8545\/[0-9a-f]{32}$/);
    });

    it('creates a new network if the gatekeeper is killed, and no change is lost', async () => {
      const hash = await call(fork.rpc, 'eth_sendTransaction', {
        from: ALICE.address,
        to: COUNTER,
      });
      const [old, ...others] = gatekeepers();
      assert.ok(old !== undefined && others.length === 0);
      const before = children('anvil');
      const network = networkOf(before[0]!);
      // Otherwise, the kernel may give the inode number of the old network to the new one.
      held = openSync(`/proc/${before[0]!}/ns/net`, 'r');
      process.kill(old, 'SIGKILL');
      await gone([old, ...before]);
      assert.equal(await call(fork.rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest'), word(3));
      assert.equal(
        (await call<{ status: string }>(fork.rpc, 'eth_getTransactionReceipt', hash)).status,
        '0x1',
      );
      assert.equal(gatekeepers().length, 1);
      const [engine] = children('anvil');
      assert.ok(engine !== undefined);
      assert.notEqual(networkOf(engine), network);
      assert.notEqual(networkOf(engine), networkOf('self'));
    });

    it('ends all engines with a killed service, and keeps every change', async () => {
      await call(fork.rpc, 'eth_sendTransaction', { from: ALICE.address, to: COUNTER });
      const pids = [...gatekeepers(), ...children('anvil')];
      assert.ok(pids.length >= 3);
      await service.kill();
      await gone(pids);
      await start();
      const path = `/v1/project/${await localProject(service)}/fork/${fork.forkId}`;
      const { data } = await service.request<Fork>('GET', path);
      assert.equal(await call(data.rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest'), word(3));
    });
  });

  describe('in an engine starter', () => {
    let networks: EngineNetworks | undefined;
    afterEach(() => networks?.close());

    async function starter(
      options: EngineNetworksOptions = {},
      engine: Partial<AnvilOptions> = {},
    ): Promise<StartEngine> {
      const { path } = await findAnvil({});
      const made = (networks = new EngineNetworks(options));
      const network = (): Promise<IsolatedNetwork | undefined> => made.current();
      return anvilStarter({ binary: path, home: engines.home, network, ...engine });
    }

    it('lets no engine reach a server of the machine', async () => {
      const asked: (string | undefined)[] = [];
      const server = createServer(({ url }, response) => {
        asked.push(url);
        response.end('{}');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const reset = [{ forking: { jsonRpcUrl: `http://127.0.0.1:${port}`, blockNumber: 1 } }];
      const isolated = await (await starter())({ hardfork: 'prague' });
      await assert.rejects(isolated.rpc.request('anvil_reset', reset));
      assert.deepEqual(asked, []);
      await isolated.stop();
      const open = await engines.start({ hardfork: 'prague' });
      await assert.rejects(open.rpc.request('anvil_reset', reset));
      assert.equal(asked[0], '/', 'an engine without its own network reaches the address');
      server.close();
      server.closeAllConnections();
    });

    it('is skipped if the machine does not support it, with one warning', async () => {
      for (const options of [
        { platform: 'darwin' },
        { unshare: 'false' },
        { unshare: 'nowhere' },
      ] as const) {
        const reported: string[] = [];
        const start = await starter({
          ...options,
          onUnavailable: (reason) => reported.push(reason),
        });
        const gateway = new UpstreamGateway(undefined, networks);
        const lease = await gateway.open({ chainId: 1, upstream: chain.engine.rpc });
        const engine = await start({
          hardfork: 'prague',
          upstream: { url: lease.url, blockNumber: 1 },
        });
        assert.equal(engine.connect, undefined);
        assert.equal(await call(engine.url, 'eth_getStorageAt', COUNTER, '0x0', 'latest'), word(2));
        assert.equal(reported.length, 1);
        await engine.stop();
        await gateway.close();
      }
    });

    it('starts an engine in a new network if the gatekeeper is killed during the start', async () => {
      let starts = 0;
      const start = await starter(undefined, {
        launch: async (file, args) => {
          if (++starts === 1) {
            const { pid } = (await networks?.current())!;
            process.kill(pid, 'SIGKILL');
            await gone([pid]);
          }
          return launchCommand(file, args);
        },
      });
      const engine = await start({ hardfork: 'prague' });
      assert.equal(await engine.rpc.request('eth_chainId', []), '0x7a69');
      assert.equal(starts, 2);
      await engine.stop();
    });

    it('stays required once a network existed', async () => {
      const reported: string[] = [];
      const options: EngineNetworksOptions = { onUnavailable: (reason) => reported.push(reason) };
      const start = await starter(options);
      const engine = await start({ hardfork: 'prague' });
      options.unshare = 'false';
      const network = await networks?.current();
      await network?.close();
      await engine.exited;
      await assert.rejects(start({ hardfork: 'prague' }), {
        kind: 'engineUnavailable',
        message: 'the network of the engines cannot be created: unshare ended with 1',
      });
      delete options.unshare;
      const next = await start({ hardfork: 'prague' });
      assert.equal(await next.rpc.request('eth_chainId', []), '0x7a69');
      await next.stop();
      assert.deepEqual(reported, []);
    });
  });
});

const word = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`;
