import type { RouteRequest } from '../../api/routes';
import { UsageError } from '../errors/usage-error';
import type { Context } from './context';
import { callOptions, readView } from './located-transaction';

type WrittenBody = RouteRequest<'regress'>['body'];

interface Given {
  readonly params: { chain: string; address: string };
  readonly newCode: WrittenBody['newCode'];
  readonly init: WrittenBody['init'];
}

/**
 * Prints in what a transaction differs from what new code would have made of it.
 * @throws UsageError with an initializer, and where nothing can be compared; ApiError
 */
export async function compareWithCode(
  { params, newCode, init }: Given,
  hash: string,
  context: Context,
): Promise<void> {
  if (init !== undefined) {
    throw new UsageError('--compare is given with --init; accepted: one of them');
  }
  const { client } = context.connection;
  const body: WrittenBody = { newCode, transactions: [hash], simulations: true };
  const { results } = await client.call('regress', { params, body }, callOptions(context));
  const [result] = results;
  if (result?.simulation === undefined) {
    throw new UsageError(
      `--compare is ${hash}; there is nothing to compare: ${result?.cause ?? ''}`,
    );
  }
  const { chain } = params;
  const request = result.simulation as RouteRequest<'simulate'>['body'];
  const { comparisonOf, renderComparison } = await import('../analysis/analysis-bundle');
  const [left, right] = await Promise.all([
    readView('getAnalysis', { chain, hash }, context),
    client.call('simulate', { params: { chain }, body: request }, callOptions(context)),
  ]);
  const comparison = comparisonOf(left, right);
  context.out.result(comparison, () => renderComparison(comparison, context.out.colors));
}
