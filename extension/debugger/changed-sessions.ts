import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { shortHex } from '../../server/client/format';
import { DEBUG_TYPE, type ChangedSimulation } from '../model/debugging';
import { deleteThrowAway, handOver } from './throw-away';
import type { ApiClient } from '../model/api-client';

/** Replaces a session in which a variable was changed by one that debugs the simulation with the change. */
export async function replaceSession(
  client: ApiClient,
  session: vscode.DebugSession,
  { simulate, changes }: ChangedSimulation,
): Promise<void> {
  const configuration = changedConfiguration(session.configuration, { simulate, changes });
  handOver(session);
  await vscode.debug.stopDebugging(session);
  const isStarted = await vscode.debug.startDebugging(session.workspaceFolder, configuration);
  if (!isStarted) await deleteThrowAway(client, configuration);
}

/** @param given of the session, which may debug a changed simulation already */
function changedConfiguration(
  given: vscode.DebugConfiguration,
  { simulate, changes }: ChangedSimulation,
): vscode.DebugConfiguration {
  const {
    chain,
    fork,
    original = given.name,
    build,
    kept,
    throwAway,
  } = given as {
    build?: string;
    kept?: unknown;
    throwAway?: unknown;
    chain?: string;
    fork?: string;
    original?: string;
  };
  return {
    type: DEBUG_TYPE,
    request: 'launch',
    // The editor shows the beginning of a long name.
    name: l10n.t('Changed: {0} ({1})', changes.map(shortened).join(', '), original),
    chain: chain ?? fork,
    simulate,
    changes,
    original,
    ...(kept !== undefined && { kept }),
    ...(build !== undefined && { build }),
    ...(throwAway !== undefined && { throwAway }),
  };
}

const shortened = (text: string): string =>
  text.replace(/0x[0-9a-f]+/gi, (digits) => shortHex(digits));
