import { AnalysisService, type ViewSources } from '../../server/analysis/views/analysis-service';
import {
  ExecutionLocator,
  type ExecutionSources,
} from '../../server/analysis/views/execution-locator';
import type { Network } from '../../server/analysis/ports';
import { NATIVE_ASSET } from '../../server/api/explorer';
import { account, frame, HASH, identification, mined, network, unusedSources } from './analysis';
import { ScriptedRpc, type Handlers } from './scripted-rpc';

export const { transaction, receipt, block } = mined({ block: { excessBlobGas: '0x0' } });

export const NODE: Handlers = {
  eth_getTransactionByHash: () => transaction,
  eth_getTransactionReceipt: () => receipt,
  eth_getBlockByHash: () => block,
};

export const root = frame({
  value: 5n,
  items: [frame({ type: 'STATICCALL', to: account(1) }), frame({ to: account(0x500) })],
});

interface TestService {
  analysis: AnalysisService;
  /** Networks whose transactions were traced. */
  traced: string[];
  /** Networks whose tokens were requested. */
  tokenRequests: string[];
  rpc: ScriptedRpc;
}

/** A service over one scripted node. */
export function service(
  handlers: Handlers = NODE,
  parts: Partial<ExecutionSources> = {},
  viewSources: Partial<ViewSources> = {},
): TestService {
  const rpc = new ScriptedRpc(handlers);
  const traced: string[] = [];
  const tokenRequests: string[] = [];
  const executions = new ExecutionLocator({
    networks: { resolve: (key) => Promise.resolve(network(rpc, { key })) },
    traces: {
      trace: async (on: Network) => {
        await Promise.resolve();
        traced.push(on.key);
        return { root, method: 'debug', reportedGas: 21_000 };
      },
    },
    abis: {
      identify: () =>
        Promise.resolve(identification({ [account(0x500)]: { code: '0x00', name: 'Shop' } })),
    },
    ...parts,
  });
  const analysis = new AnalysisService(executions, {
    ...unusedSources,
    tokens: {
      factsOf: (on) => {
        tokenRequests.push(on.key);
        return Promise.resolve(new Map());
      },
    },
    prices: {
      pricesAt: () => Promise.resolve(new Map([[NATIVE_ASSET, { value: 4000n, decimals: 0 }]])),
    },
    ...viewSources,
  });
  return { analysis, traced, tokenRequests, rpc };
}
export const request = { chain: 'eth', hash: HASH };
