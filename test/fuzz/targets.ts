import type { PauseLimit } from '../support/stalls';
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
  /**
   * Runs campaigns one after the other on one service.
   * @param accepted pauses of the service up to this length are no findings
   */
  run(
    name: string,
    campaigns: readonly CampaignOptions[],
    accepted: PauseLimit,
  ): Promise<CampaignResult[]>;
}

const fuzzer = <T>(share: number, open: (accepted: PauseLimit) => Promise<Target<T>>): Fuzzer => ({
  share,
  run: async (name, campaigns, accepted) => {
    const target = await open(accepted);
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
  rest: fuzzer(0.33, async (accepted) => new RestTarget(await openFuzzTarget(accepted))),
  rpc: fuzzer(0.38, async (accepted) => new RpcTarget(await openFuzzTarget(accepted))),
  mcp: fuzzer(0.03, async (accepted) => new McpTarget(await openFuzzTarget(accepted))),
  transactions: fuzzer(
    0.005,
    async (accepted) => new TransactionTarget(await openFuzzTarget(accepted)),
  ),
  cases: fuzzer(0.005, async (accepted) => CasesTarget.open(await openFuzzTarget(accepted))),
  sources: fuzzer(0.01, (accepted) => SourcesTarget.open(accepted)),
  files: fuzzer(0.01, () => FilesTarget.open()),
} as const;

export type TargetName = keyof typeof TARGETS;
