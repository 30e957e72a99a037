import type * as vscode from 'vscode';
import { commands } from 'vscode';
import type { CaseAnalysis, CaseShown } from '../../server/api/case-content';
import type { OpenCaseView } from '../../server/api/cases';
import type { Simulation, Source, Target } from '../../media/inspector/protocol/protocol';
import type { DebugTarget } from '../model/debugging';
import type { CaseContext } from './cases-bundle';
import { showNotebook } from './notebook-case';

/** Shows what an open case shows: the inspector in the panel of its file; a comparison or a notebook in place of it. */
export async function showCase(
  { show }: Pick<CaseContext, 'show'>,
  { analyses, shown }: OpenCaseView,
  panel: vscode.WebviewPanel,
): Promise<void> {
  const [first, second] = analyses;
  if (!first) throw new Error('a case has an analysis');
  if (shown?.kind === 'comparison' && second) {
    const sides = { left: subjectOf(first), right: subjectOf(second) };
    await commands.executeCommand('forklens.compareAnalyses', sides);
    panel.dispose();
  } else if (shown?.kind === 'notebook') {
    await showNotebook(shown.text, analyses);
    panel.dispose();
  } else {
    show(panel, sourceOf(first));
    if (shown?.kind === 'debugger') await debug(first, shown);
  }
}

/** Begins the session of a case, with its breakpoints. */
async function debug(
  analysis: CaseAnalysis,
  { step, build = 'executed', breakpoints }: Extract<CaseShown, { kind: 'debugger' }>,
): Promise<void> {
  const placed = breakpoints.filter((one) => 'slot' in one || 'pc' in one);
  const target: DebugTarget = {
    ...subjectOf(analysis),
    ...(step !== undefined && { stopAt: { step, build } }),
    ...(placed.length > 0 && { kept: { build, breakpoints: placed } }),
    breakpoints: breakpoints.filter((one) => 'line' in one || 'function' in one),
  };
  await commands.executeCommand('forklens.debugTransaction', target);
}

function subjectOf(analysis: CaseAnalysis): Target | Simulation {
  const { chain } = analysis;
  if ('transaction' in analysis) return { chain, transaction: analysis.transaction };
  const { simulation, title } = analysis;
  const request = simulation as Simulation['request'];
  return { chain, request, ...(title !== undefined && { title }) };
}

function sourceOf(analysis: CaseAnalysis): Source {
  const subject = subjectOf(analysis);
  return 'transaction' in subject
    ? { kind: 'transaction', chain: subject.chain, transaction: subject.transaction }
    : { kind: 'simulation', ...subject };
}
