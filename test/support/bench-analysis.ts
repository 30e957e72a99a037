import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { AnalysisService } from '../../server/analysis/views/analysis-service';
import { ExecutionLocator } from '../../server/analysis/views/execution-locator';
import type { Network } from '../../server/analysis/ports';
import type { Hash } from '../../server/api/primitives';
import type { RpcClient } from '../../server/evm/forms/json-rpc';
import { toQuantity } from '../../server/evm/forms/quantity';
import type { RpcBlock } from '../../server/evm/forms/types';
import { Executions } from '../../server/execution/engines/executions';
import { ReplayTraceSource } from '../../server/execution/replay/replay-trace-source';
import { noPrices } from '../../server/contracts/prices/no-prices';
import { RpcTokenFacts } from '../../server/contracts/tokens/token-facts';
import { ChainClients } from '../../server/chains/upstream/chain-clients';
import { UpstreamGateway } from '../../server/chains/upstream/upstream-gateway';
import { testEngines, type TestEngines } from '../integration/fork-upstream';
import { identification, unusedSources } from './analysis';
import { certainRules } from './block-rules';
import { makeTemporaryDirectory, removeDirectory } from './temporary-directory';

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
export async function timed<T>(work: () => Promise<T>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
export const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0);

/** A block with its transactions. */
export const blockOf = async (rpc: RpcClient, number: number): Promise<RpcBlock> =>
  (await rpc.request('eth_getBlockByNumber', [toQuantity(number), true])) as RpcBlock;

/** A service with a warm engine that has analysed another transaction and has no data of the measured one. */
export class WarmService {
  private constructor(
    private readonly engines: TestEngines,
    private readonly gateway: UpstreamGateway,
    private readonly replay: ReplayTraceSource,
  ) {}

  static async start(): Promise<WarmService> {
    const engines = await testEngines();
    const gateway = new UpstreamGateway();
    const replay = new ReplayTraceSource(
      {
        startEngine: engines.start,
        openUpstream: (on) => gateway.open({ chainId: on.chainId, upstream: on.rpc }),
        rulesOf: () => Promise.resolve(certainRules('prague')),
      },
      new Executions(),
    );
    return new WarmService(engines, gateway, replay);
  }

  /** @param before a transaction of another block, which is analysed first */
  async analyze(url: string, before: Hash, hash: Hash): Promise<{ took: number; verdict: string }> {
    const clients = new ChainClients();
    try {
      const rpc = clients.of({ slug: 'eth', chainId: 1, rpcUrls: [url] });
      const network: Network = {
        key: 'eth',
        chainId: 1,
        nativeSymbol: 'ETH',
        rpc,
        replayable: true,
      };
      const executions = new ExecutionLocator({
        networks: { resolve: () => Promise.resolve(network) },
        traces: this.replay,
        abis: { identify: () => Promise.resolve(identification()) },
      });
      const analysis = new AnalysisService(executions, {
        ...unusedSources,
        tokens: new RpcTokenFacts(),
        prices: noPrices,
        states: { state: () => Promise.resolve(undefined) },
      });
      await analysis.invocationFlow({ chain: 'eth', hash: before });
      let verification = {};
      const took = await timed(async () => {
        ({ verification } = await analysis.invocationFlow({ chain: 'eth', hash }));
      });
      return { took, verdict: JSON.stringify(verification) };
    } finally {
      await clients.close();
    }
  }

  async stop(): Promise<void> {
    await this.replay.close();
    await this.gateway.close();
    await this.engines.close();
  }
}

/** Milliseconds of `cast run` in a new process with an empty home. */
export async function castRun(url: string, hash: Hash): Promise<number> {
  const cast = createRequire(require.resolve('@foundry-rs/cast/package.json'));
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const binary = cast.resolve(`@foundry-rs/cast-${process.platform}-${arch}/bin/cast`);
  const home = await makeTemporaryDirectory();
  try {
    return await timed(async () => {
      const args = ['run', hash, '--rpc-url', url, '--evm-version', 'prague', '--no-rate-limit'];
      const child = spawn(binary, args, {
        env: { HOME: home },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let complaint = '';
      child.stderr.on('data', (text) => (complaint += String(text)));
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code !== 0) throw new Error(`cast run: ${complaint.slice(0, 300)}`);
    });
  } finally {
    await removeDirectory(home);
  }
}
