import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import type { Artifact, Artifacts } from './check';
import { runCommand } from './foreign/command';
import { mochaOutcomes } from './foreign/results';
import type { NodeName, Nodes } from './nodes';
import type { Run } from './outcomes';

const ROOT = join(__dirname, '../..');
const HARDHAT = join(ROOT, 'node_modules/hardhat/internal/cli/bootstrap.js');
const PROJECT = join(ROOT, 'test/fixtures/clients');

/** A Hardhat project with OpenZeppelin contracts, compiled with the compiler of this repository. */
export class HardhatProject {
  private constructor(
    private readonly home: string,
    readonly artifacts: Artifacts,
  ) {}

  static async compile(): Promise<HardhatProject> {
    const home = await makeTemporaryDirectory();
    const { code, output } = await hardhat(home, ['compile']);
    if (code !== 0) throw new Error(`the project could not be compiled: ${output}`);
    const read = async (name: string): Promise<Artifact> => {
      const file = join(home, 'artifacts/contracts', `${name}.sol`, `${name}.json`);
      return JSON.parse(await readFile(file, 'utf8')) as Artifact;
    };
    const artifacts = { points: await read('Points'), till: await read('Till') };
    return new HardhatProject(home, artifacts);
  }

  /** Runs its tests on an unused node. */
  async run(nodes: Nodes, name: NodeName): Promise<Run> {
    const node = await nodes.create(name);
    try {
      const started = performance.now();
      const args = ['--network', 'fork', 'test', '--no-compile', join(PROJECT, 'test/points.cjs')];
      const outcomes = await mochaOutcomes(join(this.home, 'results.json'), () =>
        hardhat(this.home, args, node.http),
      );
      return { outcomes, seconds: (performance.now() - started) / 1000 };
    } finally {
      await node.stop();
    }
  }

  close(): Promise<void> {
    return removeDirectory(this.home);
  }
}

function hardhat(
  home: string,
  args: readonly string[],
  url = '',
): Promise<{ code: number | null; output: string }> {
  const config = ['--config', join(PROJECT, 'hardhat.config.cjs')];
  return runCommand(process.execPath, [HARDHAT, ...config, ...args], {
    cwd: PROJECT,
    env: {
      HOME: home,
      HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
      CLIENTS_HOME: home,
      CLIENTS_RESULTS: join(home, 'results.json'),
      ...(url === '' ? {} : { FORK_RPC: url }),
    },
    timeout: 5 * 60_000,
  });
}
