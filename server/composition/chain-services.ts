import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Chain, Config } from '../api/config';
import type { ChainClient } from '../forks/life/pinned-chain';
import type { Metrics } from '../kernel/metrics/metrics';
import { RuleSource } from '../evm/rules/rule-source';
import type { KeptSandbox } from '../chains/sandbox/kept-sandbox';
import { VERSION } from './startup/version';
import { AnswerFiles } from '../store/cache/answer-files';
import { AnswerCache } from '../chains/upstream/answer-cache';
import { ChainClients } from '../chains/upstream/chain-clients';
import { OwnClients } from './own-clients';

export interface ChainServices {
  upstreamOf: (chain: Chain) => ChainClient;
  /** The rules of the chains' blocks. */
  rules: RuleSource;
  /** Kept answers on disk; undefined if none are kept. */
  answerFiles: AnswerFiles | undefined;
  /** Chains that this process answers for itself. */
  ownClients: OwnClients;
  close: () => Promise<void>;
}

/** The clients of the chains' nodes, with their kept answers. */
export function createChainServices({
  config,
  dataDir,
  sandbox,
  metrics,
  log,
}: {
  config: Config;
  dataDir: string;
  sandbox: KeptSandbox | undefined;
  metrics: Metrics;
  log: Logger;
}): ChainServices {
  const maxBytes = config.cache.maxMegabytes * 1024 * 1024;
  const answerFiles =
    maxBytes > 0
      ? new AnswerFiles({ folder: join(dataDir, 'cache'), maxBytes, warn: log.warn.bind(log) })
      : undefined;
  const answers = new AnswerCache(answerFiles, (isHit) => {
    metrics.lookUp('answers', isHit);
  });
  const clients = new ChainClients(
    answers,
    (slug) => (slug === sandbox?.chain.slug ? sandbox.connect : undefined),
    metrics.upstream.bind(metrics),
    `forklens/${VERSION}`,
  );
  const ownClients = new OwnClients();
  return {
    upstreamOf: ownClients.before<ChainClient>(clients.of.bind(clients)),
    ownClients,
    rules: new RuleSource(),
    answerFiles,
    close: () => clients.close(),
  };
}
