import type { EngineParameters } from '../../evm/forms/engine';
import { LIMITS } from '../../api/limits';

/** Long, because the gateway enforces the deadlines and reports them. */
const UPSTREAM_TIMEOUT_MS = 600_000;

/**
 * Command line of an engine. Blocks are mined on demand only, with transactions in order of arrival: the proxy mines after each send, so
 * that a receipt is available at once. There are no dev accounts, because they would overwrite real balances.
 */
export function engineArguments(
  { upstream, chainId, hardfork, isCelo = false, extraArguments = [] }: EngineParameters,
  socket?: string,
): string[] {
  return [
    // Without CORS headers, no web page can read the engine's answers.
    '--host',
    '127.0.0.1',
    '--port',
    '0',
    '--no-cors',
    '--no-request-size-limit',
    ...(socket === undefined ? [] : ['--ipc', socket]),
    '--accounts',
    '0',
    '--hardfork',
    hardfork,
    '--no-mining',
    '--order',
    'fifo',
    '--prune-history',
    String(LIMITS.keptStates),
    '--disable-pool-balance-checks',
    '--disable-min-priority-fee',
    '--disable-console-log',
    ...(isCelo ? ['--celo'] : []),
    ...(chainId === undefined ? [] : ['--chain-id', String(chainId)]),
    ...(upstream === undefined
      ? []
      : [
          '--fork-url',
          upstream.url,
          '--fork-block-number',
          String(upstream.blockNumber),
          // Anvil's cache is keyed by chain id and block number: two private chains would share entries.
          '--no-storage-caching',
          '--no-rate-limit',
          '--timeout',
          String(UPSTREAM_TIMEOUT_MS),
        ]),
    ...extraArguments,
  ];
}
