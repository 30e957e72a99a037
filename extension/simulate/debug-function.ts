import * as vscode from 'vscode';
import { staleReason } from '../build-output/stale-build';
import type { CommandContext } from '../model/command-context';
import type { CommandId } from '../model/commands';
import type { ForkContracts } from '../model/fork-contracts';
import type { FunctionTarget } from '../model/targets';
import { askFunction } from './ask-function';
import { simulationOf } from './ask-simulation';
import { calledFunction } from './called-function';
import { debugUndeployed } from './debug-undeployed';

const DEBUG: CommandId = 'forklens.debugTransaction';

/** Debugs a call of a function that is not sent, or, of a contract that is not deployed, one on a fork that goes with the session. */
export async function debugFunction(
  context: Pick<CommandContext, 'client' | 'memento'>,
  contracts: Pick<ForkContracts, 'of'>,
  target: FunctionTarget,
): Promise<void> {
  const called = await calledFunction(target);
  const draft = await askFunction(context, contracts, called, true);
  if (draft.isDeployedFirst) {
    const stale = await staleReason(target.source, called.compiled);
    if (stale !== undefined) void vscode.window.showWarningMessage(stale);
    await debugUndeployed(context, called, draft);
  } else await vscode.commands.executeCommand(DEBUG, simulationOf(called, draft));
}
