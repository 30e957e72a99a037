import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pico from 'picocolors';
import { AGENT_TOOLS } from '../../server/agents/tools';
import { printAnalysis } from '../../server/agents/print-analysis';
import { createApiClient } from '../../server/api/client';
import type { Analysis } from '../../server/api/views';
import { FAILURE_CASES } from '../support/first-screen/cases-failures';
import { GAIN_CASES } from '../support/first-screen/cases-gains';
import { RIGHTS_CASES } from '../support/first-screen/cases-rights';
import { TOKEN_CASES } from '../support/first-screen/cases-tokens';
import { CAST, lower, Stage } from '../support/first-screen/stage';
import { openWorld, type World } from '../support/first-screen/world';
import { runCli, startService, type TestService } from '../support/service';
import { ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

const CASES = [...TOKEN_CASES, ...GAIN_CASES, ...RIGHTS_CASES, ...FAILURE_CASES];

describe('first screen of a transaction', function () {
  this.timeout(120_000);
  let engines: TestEngines;
  let service: TestService | undefined;
  const hashes = new Map<string, string>();

  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    const stage = await Stage.open(chain);
    const world: World = await openWorld(stage);
    for (const { name, play } of CASES) {
      hashes.set(name, await play(world));
    }
    const folder = join(engines.home, 'out');
    await mkdir(join(folder, 'Failures.sol'), { recursive: true });
    await writeFile(join(folder, 'Failures.sol/Till.json'), JSON.stringify(stage.artifact('Till')));
    const people = Object.entries(CAST).map(([name, wallet]) => [lower(wallet), name] as const);
    const contracts = [...stage.names].filter(([, name]) => name !== 'Till');
    service = await startService({
      counted: true,
      config: {
        chains: [ethChain(chain.engine.url, { hardfork: 'prague' })],
        abi: { artifacts: [folder], sourcify: { enabled: false }, signatures: { enabled: false } },
        prices: { source: 'none' },
      },
    });
    for (const [address, name] of [...people, ...contracts]) {
      const { message } = await service.request('PUT', '/v1/labels', { body: { address, name } });
      assert.equal(message, 'OK');
    }
  });
  after(async () => {
    await service?.stop();
    await engines.close();
  });
  for (const { name, findings } of CASES) {
    it(name, async () => {
      const client = createApiClient(() =>
        Promise.resolve({ baseUrl: service!.url, accessKey: service!.key }),
      );
      const hash = hashes.get(name)!;
      const path = `/v1/explorer/eth/transaction/${hash}/analysis?proof=wait`;
      const { data } = await service!.request<Analysis>('GET', path);
      const text = await printAnalysis(client, 'eth', hash, { colors: pico.createColors(false), width: 120, isProofAwaited: true });
      console.log(text + '\n\n');
      assert.deepEqual(data.summary?.findings.map(({ kind }) => kind).sort(), [...findings].sort());
    });
  }
});
void [AGENT_TOOLS, runCli, readFile];
