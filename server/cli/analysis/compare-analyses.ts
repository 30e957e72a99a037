import type { Colors } from 'picocolors/types';
import { flowPart, partOfAnalysis } from '../../../media/inspector/protocol/analysis-parts';
import { buildCallTree } from '../../../media/inspector/model/tree-model';
import { alignTrees } from '../../../media/inspector/compare/align-trees';
import { compareBalances } from '../../../media/inspector/compare/compare-balances';
import { compareRows } from '../../../media/inspector/compare/differences';
import { rowAsText } from '../../../media/inspector/copy/row-copies';
import type { ChangeEvidence } from '../../api/shown-change';
import { changeProof } from '../../presentation/change-evidence';
import { namesOf } from '../../presentation/segment';
import type { FlowRow, Parts } from '../../../media/inspector/protocol/protocol';
import { visibleText } from '../../api/visible-text';
import type { Analysis } from '../../api/views';
import { assetText } from '../../client/asset-text';

/** The same fact in both transactions. */
interface Pair<Value> {
  left: Value;
  right: Value;
}

/** A call or event that differs. Empty text if it is missing on that side. */
interface CallDifference extends Pair<string> {
  depth: number;
  differences: readonly string[];
}

interface BalanceDifference extends Pair<string> {
  account: string;
  asset: string;
  /** What the changes rest on; empty for a side without one. */
  proof: Pair<string>;
}

/** Differences between two analyses. A different gas use alone does not count. */
export interface AnalysisComparison {
  equal: boolean;
  status: Pair<boolean>;
  gasUsed: Pair<number>;
  /** In execution order: the first difference is the cause of the others. */
  calls: readonly CallDifference[];
  balances: readonly BalanceDifference[];
}

export function comparisonOf(left: Analysis, right: Analysis): AnalysisComparison {
  const [leftTree, rightTree] = [left, right].map((one) => buildCallTree(flowPart(one).rows));
  if (leftTree === undefined || rightTree === undefined) throw new Error('two analyses are needed');
  const rows = alignTrees(leftTree, rightTree);
  const { differences, divergences } = compareRows(leftTree, rightTree, rows);
  const calls = divergences.map((place) => {
    const { left: l = -1, right: r = -1, depth = 0 } = rows[place] ?? {};
    return {
      left: textOf(leftTree.rows[l], left),
      right: textOf(rightTree.rows[r], right),
      depth,
      differences: differences[place] ?? [],
    };
  });
  const balances = compareBalances(balancesOf(left), balancesOf(right))
    .filter(({ differs }) => differs)
    .map(({ account, asset, left: before, right: after, evidence }) => ({
      account,
      asset: assetText(asset),
      left: before,
      right: after,
      proof: { left: proofIn(evidence.left), right: proofIn(evidence.right) },
    }));
  const status = { left: left.status, right: right.status };
  return {
    equal: status.left === status.right && calls.length === 0 && balances.length === 0,
    status,
    gasUsed: { left: left.transaction.gasUsed, right: right.transaction.gasUsed },
    calls,
    balances,
  };
}

const proofIn = (evidence: ChangeEvidence | undefined): string =>
  evidence === undefined ? '' : changeProof(evidence);

const balancesOf = (analysis: Analysis): Parts['balanceChange'] =>
  partOfAnalysis('balanceChange', analysis) ?? { status: analysis.status, balanceChange: [] };

const textOf = (row: FlowRow | undefined, { labels }: Analysis): string =>
  row === undefined ? '' : rowAsText(row, namesOf(labels));

/** Lines with `-` for the first and `+` for the second transaction. */
export function renderComparison(comparison: AnalysisComparison, colors: Colors): string {
  const { equal, status, gasUsed, calls, balances } = comparison;
  const outcome = (succeeded: boolean): string => (succeeded ? 'succeeded' : 'reverted');
  const pair = ({ left, right }: Pair<string>): string[] => [
    ...(left === '' ? [] : [colors.red(`- ${visibleText(left)}`)]),
    ...(right === '' ? [] : [colors.green(`+ ${visibleText(right)}`)]),
  ];
  const gas =
    gasUsed.left === gasUsed.right
      ? `gas used: ${gasUsed.left}`
      : `gas used: ${gasUsed.left}, then ${gasUsed.right}`;
  const lines = [
    equal ? 'The transactions do the same.' : 'The transactions differ.',
    ...(status.left === status.right
      ? [outcome(status.left)]
      : pair({ left: outcome(status.left), right: outcome(status.right) })),
    gas,
  ];
  if (calls.length > 0) {
    lines.push('', colors.bold('Calls and events, the cause first'));
    for (const call of calls) lines.push(colors.dim(call.differences.join(', ')), ...pair(call));
  }
  if (balances.length > 0) {
    lines.push('', colors.bold('Balance changes'));
    for (const { account, asset, left, right, proof } of balances) {
      const before = changeText(left, proof.left);
      lines.push(
        `${account} ${visibleText(asset)}: ${before}, then ${changeText(right, proof.right)}`,
      );
    }
  }
  return lines.join('\n');
}

/** A change with what it rests on, unless it was simply measured: `-5 (not measured)`. */
const changeText = (plain: string, proof: string): string =>
  `${plain || '0'}${proof === '' || proof === MEASURED ? '' : ` (${proof})`}`;
const MEASURED = changeProof('measured');
