import { randomBytes, randomUUID } from 'node:crypto';
import type { Chain } from '../../api/config';
import { invalidField } from '../../api/errors';
import type { CreateForkBody } from '../../api/fork';
import { requireExecutable, type BlockRules } from '../../evm/rules/block-rules';
import { lackingPrecompiles, lackingText } from '../../evm/rules/lacking-precompiles';
import { baseFeeRuleOf } from '../../evm/families/op-stack/next-base-fee';
import { isExactOpStack, opUpgradeOf, type OpUpgrade } from '../../evm/families/op-stack/upgrades';
import { knownChain } from '../../evm/families/known-chains';
import { OP_STACK_FEES } from '../../evm/families/op-stack/op-stack';
import { isSince } from '../../evm/forms/hardfork-order';
import { acceptedAccounts, accountWarnings } from './fork-accounts';
import { resolveForkPoint, type ForkPoint } from './fork-point';
import { newSecret, rpcChainIdOf, type ForkRecord } from './fork-record';
import type { ForkPorts } from './ports';

/** Values that are unique to each fork. */
export type ForkIdentity = Pick<ForkRecord, 'forkId' | 'secret' | 'snapshotId' | 'createTime'>;

export const newIdentity = (now: Date): ForkIdentity => ({
  forkId: `fork_${randomBytes(16).toString('hex')}`,
  secret: newSecret(),
  snapshotId: randomUUID(),
  createTime: now.toISOString(),
});

/**
 * Plans the record of a new fork.
 * @throws ApiError invalidField, chainNotFound, and the errors of `resolveForkPoint`
 */
export async function planFork(
  ports: Pick<ForkPorts, 'chains' | 'upstreamOf' | 'rules' | 'log'>,
  identity: ForkIdentity,
  projectId: string,
  body: CreateForkBody,
  signal: AbortSignal,
): Promise<ForkRecord> {
  const { height, position, name, antiReplay } = body;
  const accounts = acceptedAccounts(body.accounts);
  const chain = chainOf(ports.chains, body);
  const upstream = ports.upstreamOf(chain);
  const ruled = {
    key: chain.slug,
    chainId: chain.chainId,
    hardfork: chain.hardfork,
    named: body.rules,
    rpc: upstream,
  };
  ports.rules.prepare(ruled);
  const resolve = (): Promise<ForkPoint> =>
    resolveForkPoint(upstream, chain.slug, { height, position }, signal);
  // A private chain may have restarted since its answers were kept. The check costs no round trip.
  const [first, wasReplaced] = await Promise.allSettled([resolve(), upstream.recheck?.(0)]);
  const isOther = wasReplaced.status === 'fulfilled' && wasReplaced.value === true;
  const point = isOther ? await resolve() : settledValue(first);
  const { header, ...place } = point;
  const baseFee = baseFeeRuleOf(chain.chainId, header);
  const opStack = isExactOpStack(chain.chainId, header)
    ? opUpgradeOf(chain.chainId, header)
    : undefined;
  const rules = requireExecutable(await ports.rules.of(ruled, header));
  const { hardfork, blobFraction } = rules;
  if (point.prefix > 0 && header.baseFeePerGas !== undefined && !isSince(hardfork, 'london')) {
    throw invalidField(
      'rules',
      hardfork,
      'london or later with a position, as the block has a base fee',
    );
  }
  const warnings = rules.warnings.concat(chainWarnings(chain, rules, opStack));
  for (const one of warnings) ports.log.warn({ chain: chain.slug }, one);
  warnings.push(...accountWarnings({ chainId: chain.chainId, antiReplay, accounts }));
  return {
    ...identity,
    projectId,
    name,
    chain: chain.slug,
    chainId: chain.chainId,
    ...place,
    hardfork,
    antiReplay,
    accounts,
    keepsFeeRecipient: true,
    ...(baseFee && { baseFee }),
    ...(opStack && { opStack }),
    keepsBlobGas: true,
    ...(blobFraction === undefined ? {} : { blobFraction: blobFraction.toString() }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** What forks of the chain do not execute as the chain does. */
function chainWarnings(
  { chainId, slug, name = slug }: Chain,
  rules: BlockRules,
  opStack: OpUpgrade | undefined,
): string[] {
  const ownRules = opStack === undefined ? knownChain(chainId).differences : OP_STACK_FEES;
  const lacking = lackingPrecompiles(rules);
  return [
    ...(ownRules === undefined ? [] : [`${name}: ${ownRules}`]),
    ...(lacking.size === 0 ? [] : [`${name}: ${lackingText(lacking)}`]),
  ];
}

function settledValue<T>(outcome: PromiseSettledResult<T>): T {
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

function chainOf(
  chains: ForkPorts['chains'],
  { chainId, chain: slug, antiReplay }: CreateForkBody,
): Chain {
  const chain = slug === undefined ? chains.byChainId(chainId) : chains.bySlug(slug);
  if (chain.chainId !== chainId) {
    throw invalidField('chainId', chainId, `${chain.chainId}, the id of chain ${chain.slug}`);
  }
  if (!Number.isSafeInteger(rpcChainIdOf({ chainId, antiReplay }))) {
    throw invalidField(
      'antiReplay',
      antiReplay,
      `false for chain id ${chainId}, which is too long`,
    );
  }
  return chain;
}
