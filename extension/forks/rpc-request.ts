import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { ApiError } from '../../server/api/errors';

/** Example parameters of common methods. */
const EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  eth_getBlockByNumber: ['latest', false],
  eth_getBalance: ['0x…', 'latest'],
  eth_getCode: ['0x…', 'latest'],
  eth_getStorageAt: ['0x…', '0x0', 'latest'],
  eth_getTransactionByHash: ['0x…'],
  eth_getTransactionReceipt: ['0x…'],
  eth_getTransactionCount: ['0x…', 'latest'],
  eth_getLogs: [{ fromBlock: 'latest', toBlock: 'latest' }],
  eth_call: [{ to: '0x…', data: '0x' }, 'latest'],
  eth_estimateGas: [{ from: '0x…', to: '0x…', data: '0x' }],
  eth_sendTransaction: [{ from: '0x…', to: '0x…', value: '0x0', data: '0x' }],
  debug_traceTransaction: ['0x…', { tracer: 'callTracer' }],
  debug_traceCall: [{ to: '0x…', data: '0x' }, 'latest', { tracer: 'callTracer' }],
  anvil_setBalance: ['0x…', '0xde0b6b3a7640000'],
  anvil_setCode: ['0x…', '0x'],
  anvil_setNonce: ['0x…', '0x0'],
  anvil_setStorageAt: ['0x…', '0x0', `0x${'0'.repeat(64)}`],
  anvil_mine: ['0x1'],
  evm_increaseTime: [3_600],
  evm_setNextBlockTimestamp: [1_800_000_000],
};

/** JSON text of example parameters that the user completes. */
export const exampleParams = (method: string): string => JSON.stringify(EXAMPLES[method] ?? []);

/** Parses the user's input. JSON-RPC accepts an array or an object. */
export function parseParams(text: string): { params: unknown } | { problem: string } {
  if (text.includes('…')) return { problem: l10n.t('Replace each 0x… by an address or a hash.') };
  let params: unknown;
  try {
    params = JSON.parse(text.trim() || '[]');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: l10n.t('This is not JSON: {0}', reason) };
  }
  return typeof params === 'object' && params !== null
    ? { params }
    : { problem: l10n.t('Enter a JSON array, such as ["latest", false].') };
}

const documentSchema = z.object({
  'x-fork-rpc': z.object({
    groups: z.array(z.object({ what: z.string(), methods: z.array(z.string()) })),
  }),
});

export interface MethodGroup {
  what: string;
  methods: readonly string[];
}

/**
 * The methods that the service's forks accept, from its OpenAPI document.
 * @throws ApiError `upstreamUnreachable` if the document cannot be read
 */
export async function forkMethods(baseUrl: string, signal: AbortSignal): Promise<MethodGroup[]> {
  try {
    const response = await fetch(`${baseUrl}/openapi.json`, { signal });
    const { groups } = documentSchema.parse(await response.json())['x-fork-rpc'];
    return groups.filter(({ what }) => !what.startsWith('Over WebSocket'));
  } catch (error) {
    if (signal.aborted) throw new ApiError('cancelled', 'cancelled');
    throw new ApiError(
      'upstreamUnreachable',
      l10n.t('the service does not say which methods its forks take'),
      { cause: error },
    );
  }
}
