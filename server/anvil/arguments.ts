import type { EngineParameters } from '../ethereum/engine';
import { LIMITS } from '../limits';

/** The gateway has the deadlines, and the words for them. */
const UPSTREAM_TIMEOUT_MS = 600_000;

/**
 * Command line of an engine. Blocks are mined on demand only, in the order of arrival: the proxy mines after
 * each send, which is what makes a receipt be there at once. No dev accounts: they would overwrite real balances.
 */
export function engineArguments({
  upstream,
  chainId,
  hardfork,
  extraArguments = [],
}: EngineParameters): string[] {
  return [
    // Without CORS headers no web page reads what an engine answers.
    ...['--host', '127.0.0.1', '--port', '0', '--no-cors', '--no-request-size-limit'],
    ...['--accounts', '0', '--hardfork', hardfork],
    ...['--no-mining', '--order', 'fifo', '--prune-history', String(LIMITS.keptStates)],
    ...['--disable-pool-balance-checks', '--disable-min-priority-fee', '--disable-console-log'],
    ...(chainId === undefined ? [] : ['--chain-id', String(chainId)]),
    ...(upstream === undefined
      ? []
      : [
          ...['--fork-url', upstream.url, '--fork-block-number', String(upstream.blockNumber)],
          // Its cache is shared by chain id and block number: two private chains would mix.
          ...['--no-storage-caching', '--no-rate-limit'],
          ...['--timeout', String(UPSTREAM_TIMEOUT_MS)],
        ]),
    ...extraArguments,
  ];
}
