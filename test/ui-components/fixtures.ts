import { readFileSync } from 'node:fs';
import path from 'node:path';
import { flowPart, partOfAnalysis } from '../../media/inspector/protocol/analysis-parts';
import { slicesOf } from '../../extension/inspector/slices';
import {
  ACTIONS,
  LIST_OF,
  type Flow,
  type FlowRow,
  type PartId,
  type Parts,
  type Source,
  type ToWebview,
} from '../../media/inspector/protocol/protocol';
import {
  balanceChangeSchema,
  invocationFlowSchema,
  type BalanceChange,
  type Event,
  type Invocation,
  type InvocationFlow,
} from '../../server/api/explorer';
import { analysisSchema } from '../../server/api/views';

export interface Fixture {
  flow: InvocationFlow;
  balances: BalanceChange;
}

/** Responses of both operations from `test/fixtures/inspector`, validated against the contract. */
export function fixture(name: 'swap' | 'revert' | 'nft'): Fixture {
  const file = path.resolve(__dirname, `../fixtures/inspector/${name}.json`);
  const { flow, balances } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  return { flow: invocationFlowSchema.parse(flow), balances: balanceChangeSchema.parse(balances) };
}

/**
 * Transactions of the sandbox whose complete analysis, as returned by the service, is in `test/fixtures/inspector/sandbox`. Those of
 * `approval-phish` and `failed-mint` are of a fork of the sandbox.
 */
export type SandboxFixture =
  | 'approval-phish'
  | 'approve'
  | 'caught-revert'
  | 'create-contract'
  | 'eip7702-batch'
  | 'exploit-reentrancy'
  | 'failed-mint'
  | 'flash-loan'
  | 'multicall-allowed-failure'
  | 'proxy-upgrade'
  | 'swap-two-hops';

type AnalysisParts = Omit<Parts, 'sourceLocations' | 'internalCalls' | 'failedConditions'>;

/** All parts of an analysis, validated against the contract. */
export function sandboxParts(name: SandboxFixture): AnalysisParts {
  const file = path.resolve(__dirname, `../fixtures/inspector/sandbox/${name}.json`);
  const answer = analysisSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const part = <Id extends PartId>(id: Id): Parts[Id] => {
    const value = partOfAnalysis(id, answer);
    if (value === undefined) throw new Error(`${name} has no ${id}`);
    return value;
  };
  return {
    flow: part('flow'),
    balanceChange: part('balanceChange'),
    fundFlow: part('fundFlow'),
    stateDiff: part('stateDiff'),
    gasProfile: part('gasProfile'),
  };
}

/** All messages of an analysis, part by part. */
export function messagesOfParts(parts: Pick<Parts, 'flow'> & Partial<Parts>): ToWebview[] {
  const ids = Object.keys(parts) as PartId[];
  return [
    { type: 'open', source: sourceOf(parts.flow) },
    SURROUNDINGS,
    ...ids.flatMap((id) => partMessages(id, parts[id]!)),
  ];
}

export function sourceOf({ transaction }: Pick<Flow, 'transaction'>): Source {
  return { kind: 'transaction', chain: transaction.chain, transaction: transaction.hash };
}

/** The messages of a part, as the extension host sends them. */
export function partMessages<Id extends PartId>(part: Id, value: Parts[Id]): ToWebview[] {
  const { [LIST_OF[part]]: items, ...head } = value as unknown as Record<string, unknown[]>;
  return [
    { type: 'head', part, head, total: items!.length } as unknown as ToWebview,
    ...[...slicesOf(items!)].map((slice) => ({ type: 'slice' as const, part, items: slice })),
  ];
}

export const SURROUNDINGS: ToWebview = {
  type: 'hostContext',
  hostContext: { hasExplorer: true, actions: [...ACTIONS] },
};

/** All messages of a successful analysis. */
export function messagesOf({ flow, balances }: Fixture): ToWebview[] {
  return messagesOfParts({ flow: flowPart(flow), balanceChange: balances });
}

export function invocation(overrides: Partial<Invocation> = {}): Invocation {
  return {
    fromAddress: `0x${'a'.repeat(40)}`,
    address: `0x${'b'.repeat(40)}`,
    operation: 'CALL',
    value: '0',
    callData: '0x',
    decodedMethod: null,
    methodDecoded: false,
    selector: '0x12345678',
    gasUsed: 21000,
    id: 0,
    output: '',
    status: true,
    revert: false,
    revertMessage: '',
    errorInfo: '',
    ...overrides,
  };
}

export function callRow(depth: number, overrides: Partial<Invocation> = {}): FlowRow {
  return { nodeType: 0, invocation: invocation(overrides), depth };
}

export function eventRow(depth: number, overrides: Partial<Event> = {}): FlowRow {
  const event: Event = {
    contract: `0x${'c'.repeat(40)}`,
    operation: 'EVENT',
    decodedLog: { name: '', signature: '', params: [] },
    logDecoded: false,
    logData: '0x',
    topics: [`0x${'dd'.repeat(32)}`],
    id: 0,
    status: true,
    revert: false,
    ...overrides,
  };
  return { nodeType: 1, event, depth };
}

/** A flow of exactly these rows, with the transaction of the swap. */
export function flowOf(rows: FlowRow[], overrides: Partial<Flow> = {}): Flow {
  return { ...flowPart(fixture('swap').flow), rows, ...overrides };
}

/** `count` calls: a top call, then consecutive chains down to `deep` levels. */
export function hugeRows(count: number, deep: number): FlowRow[] {
  return Array.from({ length: count }, (_, index) =>
    callRow(index === 0 ? 0 : 1 + ((index - 1) % deep), {
      id: index,
      gasUsed: 1000 + index,
      selector: `0x${index.toString(16).padStart(8, '0')}`,
    }),
  );
}
