import assert from 'node:assert/strict';
import { id } from 'ethers';
import type { Fork, ForkTransactions } from '../../server/api/fork';
import type { Label } from '../../server/api/labels';
import type { Project } from '../../server/api/project';
import { API_ERRORS } from '../../server/api/errors';
import { ALICE, COUNTER, ethChain, TestChain, testEngines } from '../integration/fork-upstream';
import type { TestEngines } from '../integration/fork-upstream';
import { call, reply } from '../support/json-rpc';
import { JsonService } from '../support/json-service';
import { createFork, localProject, startService, type TestService } from '../support/service';
import { RecordedSession } from '../support/recordings';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { copyDamaged, allDamages, filesByKind, KINDS, type Damage } from './damage';
import { random } from '../support/random';
import { FORM, SEED } from './run-length';
import { FaultTable } from './table';

/** anvil's safe block is 32 blocks below its head. The service keeps the answers below it on disk. */
const BLOCKS = 40;
const ADDRESSES = [`0x${'01'.repeat(20)}`, `0x${'02'.repeat(20)}`] as const;
const SIGNATURES = ['alpha(uint256)', 'beta(address)'] as const;

/** A client's view of its data in the service. A text in place of a part is the error that reports damage. */
interface Seen {
  projects: unknown;
  forks: Record<string, unknown>;
  labels: unknown;
  abis: unknown[];
  analyses: unknown[];
  /** The last step of each recording. */
  recordings: unknown[];
}

describe('a damaged file', function () {
  this.timeout(1_200_000);
  const table = new FaultTable('damaged file');
  const below = random(SEED);
  let engines: TestEngines;
  let signatures: JsonService;
  let config: object;
  let hashes: string[];
  let whole: string;
  let intact: Seen;
  let files: Map<string, string[]>;

  before(async () => {
    engines = await testEngines();
    const upstream = await TestChain.start(engines.start);
    hashes = [];
    for (const signature of SIGNATURES) {
      const data = `${id(signature).slice(0, 10)}${'1'.padStart(64, '0')}`;
      hashes.push(await upstream.send(ALICE, { to: COUNTER, data }));
      await upstream.mine();
    }
    for (let block = 0; block < BLOCKS; block++) await upstream.mine();
    signatures = await JsonService.start((url) => {
      const asked = url.searchParams.get('function')?.split(',') ?? [];
      const known = SIGNATURES.flatMap((name): [string, object][] => {
        const selector = id(name).slice(0, 10);
        return asked.includes(selector) ? [[selector, [{ name }]]] : [];
      });
      return { body: { ok: true, result: { function: Object.fromEntries(known), event: {} } } };
    });
    config = {
      chains: [ethChain(upstream.engine.url)],
      abi: {
        sourcify: { enabled: false },
        signatures: { enabled: true, url: signatures.url },
      },
    };
    whole = await makeTemporaryDirectory();
    await fill(await startService({ dataDir: whole, config }));
    // A killed service leaves its `service.json` in place.
    const service = await startService({ dataDir: whole, config });
    intact = await see(service);
    await service.kill();
    files = await filesByKind(whole);
  });

  after(async () => {
    table.print();
    await signatures.close();
    await engines.close();
    await removeDirectory(whole);
  });

  /** Creates data of every kind, two of each if possible. */
  async function fill(service: TestService): Promise<void> {
    for (const [i, address] of ADDRESSES.entries()) {
      const { rpc } = await createFork(service, { chainId: 1, name: `fork ${i}`, height: '0x3' });
      for (let sends = 0; sends <= i + 2; sends++) {
        await call(rpc, 'eth_sendTransaction', { from: ALICE.address, to: COUNTER });
      }
      await call(rpc, 'anvil_setBalance', address, '0x7');
      await call(rpc, 'evm_mine');
      await service.request('PUT', '/v1/labels', { body: { address, name: `label ${i}` } });
      const abi = [{ type: 'function', name: `f${i}`, inputs: [], outputs: [] }];
      const body = { contractName: `C${i}`, abi };
      await service.request('PUT', `/v1/abi/eth/${address}`, { body });
    }
    await see(service);
    await service.stop();
  }

  async function see(service: TestService): Promise<Seen> {
    const get = async <T>(path: string): Promise<T | string> => {
      const { code, data, message } = await service.request<T>('GET', path);
      if (code === API_ERRORS.storageDamaged.code) return message;
      assert.equal(code, 0, message);
      return data;
    };
    const project = `/v1/project/${await localProject(service)}`;
    const forks: Seen['forks'] = {};
    for (const fork of (await get<Fork[]>(`${project}/forks`)) as Fork[]) {
      forks[fork.name] = await seeFork(service, fork, `${project}/fork/${fork.forkId}`);
    }
    const analyses: unknown[] = [];
    for (const hash of hashes) {
      const path = `/v1/explorer/eth/transaction/${hash}/invocation-flow`;
      analyses.push(await get(path));
    }
    const recordings: unknown[] = [];
    for (const hash of hashes) {
      const session = await RecordedSession.open(service, 'eth', hash);
      recordings.push(await session.step(session.recording.steps - 1));
    }
    const abis: unknown[] = [];
    for (const address of ADDRESSES) abis.push(await get(`/v1/abi/eth/${address}`));
    // It grows, so it is not compared: it must be readable.
    await get('/v1/audit');
    return {
      projects: await get<Project[]>('/v1/projects'),
      forks,
      labels: await get<Label[]>('/v1/labels'),
      abis,
      analyses,
      recordings,
    };
  }

  async function seeFork(service: TestService, fork: Fork, path: string): Promise<unknown> {
    const head = await reply(fork.rpc, 'eth_getBlockByNumber', 'latest', false);
    if (head.error) return head.error.message;
    const { rpc, forkId, snapshotId, createTime } = fork;
    const balances: string[] = [];
    for (const address of ADDRESSES) {
      balances.push(await call(rpc, 'eth_getBalance', address, 'latest'));
    }
    const { data } = await service.request<ForkTransactions>('GET', `${path}/transactions`);
    const secret = rpc.split('/').at(-1);
    const snapshots = (await service.request('GET', `${path}/snapshots`)).data;
    return { forkId, snapshotId, createTime, secret, head, balances, data, snapshots };
  }

  /** Checks that the log, or the error of a failed start, names the file or its fork. */
  function isNamed(log: string, path: string): boolean {
    const name = path.split('/').at(-1)!;
    const forkId = name.endsWith('.journal') ? name.slice(0, -'.journal'.length) : name;
    return log.includes(name) || log.includes(forkId);
  }

  async function round(paths: readonly [string, string], damage: Damage): Promise<void> {
    const dataDir = await makeTemporaryDirectory();
    try {
      await copyDamaged(whole, dataDir, paths, damage, below);
      let service: TestService;
      try {
        service = await startService({ dataDir, config });
      } catch (error) {
        const log = String(error);
        assert.ok(isNamed(log, paths[0]), `the start must fail with a reason: ${log}`);
        return;
      }
      try {
        const after = await see(service);
        const log = service.stderr.filter((line) => /"level":[4-6]0/.test(line)).join('\n');
        compare(after, (text) => paths.some((path) => isNamed(`${log}\n${text}`, path)));
      } finally {
        await service.kill();
      }
    } finally {
      await removeDirectory(dataDir);
    }
  }

  /** Each part is unchanged, or is reported as damaged. */
  function compare(after: Seen, isSaid: (text: string) => boolean): void {
    for (const [name, fork] of Object.entries(intact.forks)) {
      const now = after.forks[name];
      if (typeof now === 'string') assert.ok(isSaid(now), now);
      else if (!isSaid('')) assert.deepEqual(now, fork, name);
    }
    assert.deepEqual(Object.keys(after.forks), Object.keys(intact.forks));
    assert.deepEqual(after.projects, intact.projects);
    for (const part of ['labels', 'abis', 'analyses', 'recordings'] as const) {
      const now = after[part];
      if (typeof now === 'string') assert.ok(isSaid(now), now);
      else {
        for (const [i, one] of (intact[part] as unknown[]).entries()) {
          const found = (now as unknown[])[i];
          if (typeof found === 'string') assert.ok(isSaid(found), found);
          else assert.deepEqual(found, one, part);
        }
      }
    }
  }

  it('of each kind exists', () => {
    for (const [kind, paths] of files) assert.notDeepEqual(paths, [], kind);
  });

  for (const [kind] of KINDS) {
    it(`is never served as if it were intact: ${kind}`, async () => {
      const paths = files.get(kind)!;
      const all = [...files.values()].flat();
      const damages = allDamages();
      const chosen = FORM === 'long' ? damages : [damages[below(damages.length)]!];
      for (const damage of chosen) {
        const path = paths[below(paths.length)]!;
        const others = paths.length > 1 ? paths : all;
        const other = others.filter((one) => one !== path)[below(others.length - 1)]!;
        await table.count(`${kind}, ${damage.name}`, () => round([path, other], damage));
      }
    });
  }
});
