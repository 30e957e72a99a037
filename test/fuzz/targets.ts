import { runCampaign, type CampaignOptions, type CampaignResult, type Target } from './campaign';
import { CasesTarget } from './cases';
import { FilesTarget } from './files';
import { McpTarget } from './mcp';
import { openFuzzTarget } from './fuzz-target';
import { RestTarget } from './rest';
import { RpcTarget } from './rpc';
import { SourcesTarget } from './sources';
import { TransactionTarget } from './transactions';
import { WebviewTarget } from './webview';

interface Fuzzer {
  /** Share of all cases. Cases that start a service are few. */
  share: number;
  /** Runs campaigns one after the other on one service. */
  run(name: string, campaigns: readonly CampaignOptions[]): Promise<CampaignResult[]>;
}

const fuzzer = <T>(share: number, open: () => Promise<Target<T>>): Fuzzer => ({
  share,
  run: async (name, campaigns) => {
    const target = await open();
    const results: CampaignResult[] = [];
    try {
      for (const options of campaigns) results.push(await runCampaign(name, target, options));
    } finally {
      await target.close();
    }
    return results;
  },
});

export const TARGETS = {
  webview: fuzzer(0.25, () => Promise.resolve(new WebviewTarget())),
  rest: fuzzer(0.33, async () => new RestTarget(await openFuzzTarget())),
  rpc: fuzzer(0.38, async () => new RpcTarget(await openFuzzTarget())),
  mcp: fuzzer(0.03, async () => new McpTarget(await openFuzzTarget())),
  transactions: fuzzer(0.005, async () => new TransactionTarget(await openFuzzTarget())),
  cases: fuzzer(0.005, async () => CasesTarget.open(await openFuzzTarget())),
  sources: fuzzer(0.01, () => SourcesTarget.open()),
  files: fuzzer(0.01, () => FilesTarget.open()),
} as const;

export type TargetName = keyof typeof TARGETS;
