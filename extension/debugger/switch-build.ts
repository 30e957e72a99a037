import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DEBUG_TYPE, type PlaceInRecording } from '../model/debugging';

/** Debugs the transaction of a session in its executed build, or again in the unoptimized one, from the same call on. */
export async function switchBuild(
  session: vscode.DebugSession | undefined = vscode.debug.activeDebugSession,
): Promise<void> {
  if (session?.type !== DEBUG_TYPE) return;
  const given = session.configuration as vscode.DebugConfiguration & { build?: unknown };
  const { node } = (await session.customRequest('forklens/place')) as PlaceInRecording;
  const build = given.build === 'executed' ? 'unoptimized' : 'executed';
  const name = given.name.replace(/ \([^()]*\)$/, '');
  const executed = l10n.t('executed build');
  await vscode.debug.stopDebugging(session);
  await vscode.debug.startDebugging(session.workspaceFolder, {
    ...given,
    build,
    name: build === 'executed' ? `${name} (${executed})` : name,
    stopAt: node ?? 'entry',
  });
}
