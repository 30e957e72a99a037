import { Interface, ZeroAddress } from 'ethers';
import type { TokenBalances } from '../../api/token-balances';
import { LIMITS } from '../../api/limits';
import type { Address, Hex } from '../../api/primitives';
import type { RpcCall } from '../../evm/forms/json-rpc';
import { toDecimal } from '../../evm/forms/quantity';
import type { RpcBlock } from '../../evm/forms/types';
import { VIEW_GAS } from '../../evm/forms/view-gas';
import type { Network, TokenFacts, TokenFactsSource } from '../../analysis/ports';

const TOKEN = new Interface(['function balanceOf(address) view returns (uint256)']);
const BATCH = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[]) view returns ((bool success, bytes returnData)[])',
]);
/** Multicall3 has the same address on most chains. Source: github.com/mds1/multicall3. */
const MULTICALL: Address = '0xca11bde05977b3631167028862be2a173976ca11';
/** Listed tokens that one call of Multicall3 asks. */
const BATCHED = 200;

interface TokenBalancePorts {
  tokens: TokenFactsSource;
  /** Tokens that lists contain. */
  listed: (network: Network) => Promise<readonly Address[]>;
}

/**
 * Balances of an account in the listed tokens of a chain, in the contracts that have a label there, and in those that are given. The
 * number of calls is bounded: listed tokens are asked by Multicall3 where the chain has it, others one by one.
 * @throws ApiError `upstreamUnreachable`, `timedOut`
 */
export async function tokenBalances(
  network: Network,
  account: Address,
  given: readonly Address[],
  block: Pick<RpcBlock, 'number'>,
  { tokens, listed }: TokenBalancePorts,
  signal: AbortSignal,
): Promise<Pick<TokenBalances, 'balances' | 'asked' | 'unanswered'>> {
  const data = TOKEN.encodeFunctionData('balanceOf', [account]) as Hex;
  const known = (await listed(network)).filter((one) => one !== ZeroAddress);
  const isListed = new Set(known);
  const labelled = Object.keys(network.labels ?? {}) as Address[];
  const others = [...new Set([...given.slice(0, LIMITS.balanceTokens), ...labelled])]
    .filter((one) => one !== account && !isListed.has(one))
    .slice(0, 2 * LIMITS.balanceTokens);
  const hasBatches =
    known.length > 0 &&
    (await network.rpc.request('eth_getCode', [MULTICALL, block.number], { signal })) !== '0x';
  const wanted = known.slice(0, hasBatches ? LIMITS.listedBalances : LIMITS.balanceTokens);
  const call = (to: Address, input: Hex, limit = {}): RpcCall => ({
    method: 'eth_call',
    params: [{ to, data: input, ...limit }, block.number],
  });
  const single = hasBatches ? others : [...wanted, ...others];
  const batches = hasBatches ? chunksOf(wanted, BATCHED) : [];
  const outcomes = await network.rpc.requestAll(
    [
      ...single.map((token) => call(token, data, { gas: VIEW_GAS })),
      ...batches.map((batch) => call(MULTICALL, batchOf(batch, data))),
    ],
    { signal },
  );
  const answers = outcomes.map((one) => (one.status === 'fulfilled' ? one.value : undefined));
  const read = new Map<Address, bigint>();
  const note = (token: Address, answer: unknown): void => {
    const balance = wordOf(answer);
    if (balance !== undefined) read.set(token, balance);
  };
  for (const [index, token] of single.entries()) note(token, answers[index]);
  for (const [index, batch] of batches.entries()) {
    const results = resultsOf(answers[single.length + index]);
    for (const [at, token] of batch.entries()) note(token, results[at]);
  }
  const asked = [...wanted, ...others];
  const held = asked.filter((token) => (read.get(token) ?? 0n) > 0n);
  const facts = await tokens.factsOf(network, held, BigInt(block.number), signal);
  return {
    balances: held.flatMap((token) => {
      const own = facts.get(token);
      // A contract with balances of another kind, such as a vault, has no symbol.
      if (own?.symbol === undefined) return [];
      return [balanceOf(token, read.get(token) ?? 0n, own, isListed.has(token))];
    }),
    asked: asked.length,
    unanswered: asked.length - read.size,
  };
}

const balanceOf = (
  token: Address,
  raw: bigint,
  { symbol, decimals }: TokenFacts,
  isListed: boolean,
): TokenBalances['balances'][number] => ({
  token,
  ...(symbol === undefined ? {} : { symbol }),
  ...(decimals === undefined ? {} : { decimals }),
  rawAmount: raw.toString(),
  amount: decimals === undefined ? '' : toDecimal(raw, decimals),
  ...(isListed ? { isListed } : {}),
});

const batchOf = (tokens: readonly Address[], data: Hex): Hex =>
  BATCH.encodeFunctionData('aggregate3', [tokens.map((token) => [token, true, data])]) as Hex;

/** Answers of a batch, in its order; empty for an answer of another form. */
function resultsOf(answer: unknown): (string | undefined)[] {
  if (typeof answer !== 'string') return [];
  try {
    const [results] = BATCH.decodeFunctionResult('aggregate3', answer) as unknown as [
      readonly { success: boolean; returnData: string }[],
    ];
    return results.map(({ success, returnData }) => (success ? returnData : undefined));
  } catch {
    return [];
  }
}

/** A number; undefined for an answer that is not exactly one word, such as that of an account without code. */
const wordOf = (answer: unknown): bigint | undefined =>
  typeof answer === 'string' && /^0x[0-9a-fA-F]{64}$/.test(answer) ? BigInt(answer) : undefined;

const chunksOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
