import type * as vscode from 'vscode';
import { deleteFork } from '../../server/client/delete-fork';
import type { ApiClient } from '../model/api-client';
import type { ThrowAwayFork } from '../model/debugging';

/** Sessions whose fork another session goes on with. */
const replaced = new WeakSet<vscode.DebugSession>();

/** Another session is about to replace one, on its fork. */
export function handOver(session: vscode.DebugSession): void {
  replaced.add(session);
}

/** Deletes the fork of a session that ended, unless another session has it. @throws ApiError */
export async function sessionEnded(client: ApiClient, session: vscode.DebugSession): Promise<void> {
  if (!replaced.has(session)) await deleteThrowAway(client, session.configuration);
}

/** Deletes the fork of a session that did not begin, or ended. @throws ApiError */
export async function deleteThrowAway(
  client: ApiClient,
  { throwAway }: vscode.DebugConfiguration & { throwAway?: ThrowAwayFork },
): Promise<void> {
  if (throwAway !== undefined) await deleteFork(client, throwAway);
}
