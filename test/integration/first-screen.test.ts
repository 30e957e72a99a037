import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pico from 'picocolors';
import { printAnalysis } from '../../server/agents/print-analysis';
import { AGENT_TOOLS } from '../../server/agents/tools';
import { createApiClient, type ApiClient } from '../../server/api/client';
import type { Analysis } from '../../server/api/views';
import { shortHex } from '../../server/presentation/text';
import { FAILURE_CASES } from '../support/first-screen/cases-failures';
import { GAIN_CASES } from '../support/first-screen/cases-gains';
import { RIGHTS_CASES } from '../support/first-screen/cases-rights';
import { TOKEN_CASES } from '../support/first-screen/cases-tokens';
import { CAST, lower, Stage } from '../support/first-screen/stage';
import { openWorld, type World } from '../support/first-screen/world';
import { runCli, startService, type TestService } from '../support/service';
import { ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

const CASES = [...TOKEN_CASES, ...GAIN_CASES, ...RIGHTS_CASES, ...FAILURE_CASES];
const GOLDEN = join(__dirname, '../fixtures/first-screen/first-screens.txt');
const NO_COLORS = pico.createColors(false);
/** What a model sees of a name: a JSON string. */
const QUOTED = /"((?:[^"\\]|\\.)*)"/g;
const SECTION = /^## (.+)\n\n([\s\S]*?)\n*(?=^## |$(?![\s\S]))/gm;

describe('first screen of a transaction', function () {
  this.timeout(240_000); // some sixty deployments, and the compiler is slow
  let engines: TestEngines;
  let service: TestService | undefined;
  let client: ApiClient;
  const hashes = new Map<string, string>();
  const names = new Map<string, string>();
  const golden = new Map<string, string>();
  const shown = new Map<string, string>();

  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    const stage = await Stage.open(chain);
    const world: World = await openWorld(stage);
    for (const { name, play } of CASES) hashes.set(name, await play(world));
    const folder = join(engines.home, 'out');
    await mkdir(join(folder, 'Failures.sol'), { recursive: true });
    await writeFile(join(folder, 'Failures.sol/Till.json'), JSON.stringify(stage.artifact('Till')));
    const running = await startService({
      counted: true,
      config: {
        chains: [ethChain(chain.engine.url, { hardfork: 'prague' })],
        abi: { artifacts: [folder], sourcify: { enabled: false }, signatures: { enabled: false } },
        prices: { source: 'none' },
      },
    });
    service = running;
    client = createApiClient(() =>
      Promise.resolve({ baseUrl: running.url, accessKey: running.key }),
    );
    const people = Object.entries(CAST).map(([name, wallet]) => [lower(wallet), name] as const);
    const contracts = [...stage.names].filter(([, name]) => name !== 'Till');
    for (const [address, name] of [...people, ...contracts]) {
      const { message } = await running.request('PUT', '/v1/labels', { body: { address, name } });
      assert.equal(message, 'OK');
      names.set(address, name);
    }
    for (const [, name, text] of (await readFile(GOLDEN, 'utf8').catch(() => '')).matchAll(
      SECTION,
    )) {
      golden.set(name!, text!);
    }
  });
  after(async () => {
    if (process.env['UPDATE_GOLDENS'] !== undefined && shown.size === CASES.length) {
      const sections = [...shown].map(([name, text]) => `## ${name}\n\n${text}\n`);
      await writeFile(GOLDEN, sections.join('\n'));
    }
    await service?.stop();
    await engines.close();
  });

  const analysisOf = async (name: string): Promise<Analysis> => {
    const path = `/v1/explorer/eth/transaction/${hashes.get(name)}/analysis?proof=wait`;
    const { data, message } = await service!.request<Analysis>('GET', path);
    assert.equal(message, 'OK');
    return data;
  };
  /** What stands above the call tree. */
  const above = (text: string): string => text.split(/\n\n/).slice(0, 2).join('\n\n').trimEnd();

  for (const { name, findings } of CASES) {
    it(`of ${name}`, async () => {
      const data = await analysisOf(name);
      assert.deepEqual(data.summary?.findings.map(({ kind }) => kind).sort(), [...findings].sort());
      const input = { chain: 'eth', transaction: hashes.get(name)! };
      const { signal } = new AbortController();
      const agents = above(await AGENT_TOOLS['analyze_transaction']!.run(client, input, signal));
      const cli = await printed(name);
      const text = cli.replace(/0x[0-9a-f]{64}/g, 'HASH').replace(/ · block .*/, '');
      shown.set(name, text);
      if (process.env['UPDATE_GOLDENS'] === undefined) assert.equal(text, golden.get(name));
      // The same words: names are strings for a model, and addresses are whole.
      const short = agents
        .replace(QUOTED, (_, inside: string) => inside)
        .replace(/0x[0-9a-f]{40}(?![0-9a-f])/g, (at) => names.get(at) ?? shortHex(at));
      assert.equal(short, cli);
    });
  }

  const printed = async (name: string): Promise<string> => {
    return above(
      await printAnalysis(client, 'eth', hashes.get(name)!, {
        colors: NO_COLORS,
        isProofAwaited: true,
      }),
    );
  };

  it('is what the command line prints', async () => {
    const { name } = CASES[1]!;
    const place = ['eth', hashes.get(name)!, '--data-dir', service!.dataDir];
    const { code, stdout, stderr } = await runCli('tx', 'analyze', ...place);
    assert.equal(code, 0, stderr);
    assert.equal(above(stdout), await printed(name));
  });
});
