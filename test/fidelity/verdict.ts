import { NATIVE_ASSET, type FlowNode, type TraceNode } from '../../server/api/explorer';
import type { Analysis } from '../../server/api/views';
import {
  expectedFlow,
  expectedNets,
  expectedState,
  type ExpectedState,
  type Judged,
} from './expected-changes';

/** `marked`: not right, and the answer does not claim to be. `wrong`: not right, but the answer claims to be. */
export type Verdict = 'right' | 'marked' | 'wrong';

export const VIEWS = ['flow', 'balances', 'state'] as const;
export type View = (typeof VIEWS)[number];

export interface Judgement {
  verdict: Verdict;
  /** Description of the first difference; missing if it is right. */
  why?: string;
}

/** The service's answer about a transaction: the analysis, or why there is none. */
export type Answered = { analysis: Analysis } | { refusal: string };

/** Compares an answer with the expected result, view by view. */
export function judge(
  answered: Answered,
  executed: Judged,
  coinbase: string,
): Record<View, Judgement> {
  if ('refusal' in answered) {
    const judgement: Judgement = { verdict: 'marked', why: answered.refusal };
    return { flow: judgement, balances: judgement, state: judgement };
  }
  const { analysis } = answered;
  return {
    flow: settle(flowDifference(analysis, executed), claimsTrace(analysis)),
    balances: settle(balanceDifference(analysis, executed, coinbase), claimsBalances(analysis)),
    state: settle(stateDifference(analysis, executed), claimsState(analysis)),
  };
}

const settle = (why: string | undefined, claimed: boolean): Judgement =>
  why === undefined ? { verdict: 'right' } : { verdict: claimed ? 'wrong' : 'marked', why };

const claimsTrace = ({ verification }: Analysis): boolean => verification?.level === 'state-proved';

const claimsBalances = (analysis: Analysis): boolean =>
  claimsTrace(analysis) && analysis.verification?.native === 'verified';

const claimsState = (analysis: Analysis): boolean =>
  claimsTrace(analysis) && analysis.stateDiff !== null;

function flowDifference(analysis: Analysis, executed: Judged): string | undefined {
  const expected = expectedFlow(executed.root);
  const actual = flowLines(analysis);
  const at = expected.findIndex((line, i) => line !== actual[i]);
  if (at !== -1) return `line ${at}: expected ${expected[at]}, answered ${actual[at] ?? 'nothing'}`;
  if (actual.length > expected.length) return `more than expected: ${actual[expected.length]}`;
  return undefined;
}

/** Each call, and each event that was not rolled back, as a line in execution order. */
function flowLines({ trace, dataMap }: Analysis): string[] {
  const lines: string[] = [];
  const visit = ({ id, depth, children }: TraceNode): void => {
    const node = dataMap[id];
    const line = id === -1 || node === undefined ? undefined : nodeLine(node);
    if (line !== undefined) lines.push(`${depth} ${line}`);
    children.forEach(visit);
  };
  trace.forEach(visit);
  return lines;
}

function nodeLine(node: FlowNode): string | undefined {
  if (node.nodeType === 1) {
    const { contract, topics, logData, revert } = node.event;
    if (revert) return undefined;
    return ['EVENT', contract, topics.join(), logData === '' ? '0x' : logData].join(' ');
  }
  const one = node.invocation;
  const input = one.selector.startsWith('0x') ? one.selector + one.callData.slice(2) : one.callData;
  return [
    one.operation,
    `${one.fromAddress}>${one.operation.startsWith('CREATE') && !one.status ? '' : one.address}`,
    `value=${one.value}`,
    `input=${input === '' ? '0x' : input}`,
    `output=${one.output === '' ? '0x' : one.output}`,
    `gas=${one.gasUsed}`,
    one.status ? 'ok' : 'failed',
    one.revert ? 'reverted' : 'lasts',
  ].join(' ');
}

function balanceDifference(
  analysis: Analysis,
  executed: Judged,
  coinbase: string,
): string | undefined {
  if (!analysis.balanceChange) return failureOf(analysis, 'balanceChange');
  const expected = expectedNets(executed, coinbase);
  const actual = new Map<string, bigint>();
  for (const { account, assets } of analysis.balanceChange) {
    for (const { address, sign, rawAmount } of assets) {
      if (address === NATIVE_ASSET) actual.set(account, BigInt(rawAmount) * (sign ? 1n : -1n));
    }
  }
  for (const account of new Set([...expected.keys(), ...actual.keys()])) {
    const [want, got] = [expected.get(account) ?? 0n, actual.get(account) ?? 0n];
    if (want !== got) return `${account}: expected ${want} wei, answered ${got}`;
  }
  return undefined;
}

function stateDifference(analysis: Analysis, executed: Judged): string | undefined {
  if (!analysis.stateDiff) return failureOf(analysis, 'stateDiff');
  const expected = expectedState(executed);
  const actual = new Map<string, Omit<ExpectedState, 'destroyed'>>();
  for (const { address, balance, nonce, code, storage } of analysis.stateDiff.accounts) {
    const slots = storage.map((one): [string, string] => [one.slot, `${one.before}>${one.after}`]);
    actual.set(address, {
      facts: [
        ...(balance && balance.before !== balance.after
          ? [`balance ${balance.before}>${balance.after}`]
          : []),
        ...(nonce ? [`nonce ${nonce.before}>${nonce.after}`] : []),
        ...(code ? [`code ${code.before}>${code.after}`] : []),
      ],
      storage: new Map(slots),
    });
  }
  for (const address of new Set([...expected.keys(), ...actual.keys()])) {
    const difference = accountDifference(expected.get(address), actual.get(address));
    if (difference !== undefined) return `${address}: ${difference}`;
  }
  return undefined;
}

function accountDifference(
  want: ExpectedState | undefined,
  got: Omit<ExpectedState, 'destroyed'> | undefined,
): string | undefined {
  const [wanted, reported] = [want?.facts ?? [], got?.facts ?? []].map((facts) => facts.join(', '));
  if (wanted !== reported) return `expected ${wanted}, answered ${reported}`;
  const slots = new Set([...(want?.storage.keys() ?? []), ...(got?.storage.keys() ?? [])]);
  for (const slot of slots) {
    const [expected, answered] = [want?.storage.get(slot), got?.storage.get(slot)];
    // Nodes do not list the slots of a destroyed account that the transaction did not touch.
    if (expected === answered || (want?.destroyed === true && answered === undefined)) continue;
    return `slot ${slot}: expected ${expected}, answered ${answered}`;
  }
  return undefined;
}

const failureOf = (analysis: Analysis, part: string): string =>
  analysis.failures.find((one) => one.part === part)?.message ?? `${part} is missing`;
