import type { Colors } from 'picocolors/types';
import type { ApiClient } from '../api/client';
import type { InvocationFlow } from '../api/explorer';
import { renderBalances } from './render-balances';
import { namesOf, renderCallTree } from './render-call-tree';

export interface PrintOptions {
  colors: Colors;
  /** Rows of the call tree at the most. */
  maxRows?: number;
}

/**
 * Both analyses of a transaction as text: facts, call tree, balance changes.
 * @param chain slug of a chain, or id of a fork
 * @throws ApiError of the two operations
 */
export async function printAnalysis(
  client: ApiClient,
  chain: string,
  hash: string,
  options: PrintOptions,
): Promise<string> {
  const request = { params: { chain, transaction: hash } };
  const [flow, changes] = await Promise.all([
    client.call('getInvocationFlow', request),
    client.call('getBalanceChange', request),
  ]);
  const { colors } = options;
  const { nativeSymbol } = flow.transaction;
  return [
    renderFacts(flow, colors),
    '',
    renderCallTree(flow, options),
    '',
    renderBalances(changes, { colors, nativeSymbol, nameOf: namesOf(flow) }),
  ].join('\n');
}

function renderFacts(
  { status, transaction, verification }: InvocationFlow,
  colors: Colors,
): string {
  const { hash, chain, blockNumber, position, timestamp, fee, nativeSymbol } = transaction;
  const outcome = status ? colors.green('✓ Succeeded') : colors.red('✗ Reverted');
  const time = new Date(timestamp * 1000).toISOString().replace('T', ' ').slice(0, 19);
  const proof = verification.faithful
    ? colors.green('equal to the receipt')
    : colors.yellow(`differs from the receipt: ${verification.firstDifference ?? 'unknown'}`);
  return [
    `${outcome}  ${hash}`,
    colors.dim(`on ${chain} · block ${blockNumber} · position ${position} · ${time} UTC`) +
      (fee === '' ? '' : colors.dim(` · fee ${fee} ${nativeSymbol}`)),
    `${colors.dim(`trace by ${verification.method},`)} ${proof}`,
  ].join('\n');
}
