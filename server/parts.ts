import type { AnalysisService, ChainDirectory, ForkService } from './http/services';
import type { RpcProxy } from './http/server';
import { ApiError } from './api/errors';

const unwired = (): Promise<never> =>
  Promise.reject(new ApiError('engineUnavailable', 'this part is not wired yet'));

/** Stand-ins until the forks, the analysis and the chains are wired. */
export const unwiredParts = (): {
  forks: ForkService;
  analysis: AnalysisService;
  chains: ChainDirectory;
  rpcProxy: RpcProxy;
} => ({
  forks: {
    create: unwired,
    list: () => Promise.resolve([]),
    get: unwired,
    delete: unwired,
    deleteAllOf: () => Promise.resolve(),
    transactions: unwired,
    findProjectId: () => Promise.resolve(undefined),
  },
  analysis: { balanceChange: unwired, invocationFlow: unwired },
  chains: { list: () => [] },
  rpcProxy: {
    handle: (_request, response) => response.writeHead(503).end(),
    handleUpgrade: (_request, socket) => socket.destroy(),
  },
});
