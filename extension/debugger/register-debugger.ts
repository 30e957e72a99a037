import * as vscode from 'vscode';
import type { Log } from '../editor/log';
import type { ApiClient } from '../model/api-client';
import type { Changes } from './adapter/block-watch';
import type { Builds } from './adapter/source-watch';
import { DEBUG_TYPE, type ChangedSimulation, type MissingCompiler } from '../model/debugging';
import { DebugConfigurations } from './debug-configurations';
import type { DebugPlaces } from './debug-places';
import type { ExecutedLines } from './executed-lines';
import { registerFailingLines } from './failing-lines';
import { registerLaunchCompletions } from './launch-completions';
import type { ShownTransaction } from './launch-suggestions';
import { SourceFiles } from '../source-documents/source-files';
import { SOURCE_SCHEME } from '../source-documents/source-uri';

/** Registers the debugger. Its adapter is loaded when the first session starts. */
export function registerDebugger(
  {
    client,
    log,
    shown,
    changes,
    builds,
  }: {
    client: ApiClient;
    log: Log;
    shown: () => readonly ShownTransaction[];
    changes: Changes;
    builds: Builds;
  },
  places: DebugPlaces,
  executedLines: ExecutedLines,
): vscode.Disposable {
  const onError = (error: unknown): void => {
    log.error(`debugger: ${error instanceof Error ? (error.stack ?? '') : String(error)}`);
  };
  const solidity: vscode.DocumentSelector = [{ language: 'solidity' }, { pattern: '**/*.sol' }];
  return vscode.Disposable.from(
    vscode.debug.registerDebugConfigurationProvider(DEBUG_TYPE, new DebugConfigurations(client)),
    vscode.debug.registerDebugAdapterDescriptorFactory(DEBUG_TYPE, {
      createDebugAdapterDescriptor: async ({ configuration }) => {
        const { TransactionDebugger, locateSource: locate } = await import('./adapter-bundle');
        const session = new TransactionDebugger({
          client,
          locate,
          changes,
          builds,
          kept: configuration['kept'],
          onError,
        });
        // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- the editor calls an adapter's methods alone
        return new vscode.DebugAdapterInlineImplementation(session);
      },
    }),
    vscode.workspace.registerFileSystemProvider(SOURCE_SCHEME, new SourceFiles(client), {
      isReadonly: true,
      isCaseSensitive: true,
    }),
    // The editor asks both only while a session is stopped.
    vscode.languages.registerInlineValuesProvider(solidity, {
      provideInlineValues: async (...at) =>
        (await import('./adapter-bundle')).inlineValues.provideInlineValues(...at),
    }),
    vscode.languages.registerEvaluatableExpressionProvider(solidity, {
      provideEvaluatableExpression: async (...at) =>
        (await import('./adapter-bundle')).hoveredExpressions.provideEvaluatableExpression(...at),
    }),
    registerLaunchCompletions(client, shown),
    vscode.debug.onDidReceiveDebugSessionCustomEvent(({ session, event, body }) => {
      if (session.type === DEBUG_TYPE) answerSession(client, session, event, body).catch(onError);
    }),
    vscode.debug.onDidTerminateDebugSession((session) => {
      if (session.type === DEBUG_TYPE) endSession(client, session).catch(onError);
    }),
    places.register(),
    registerFailingLines(places),
    executedLines.register(),
  );
}

/** Does what a session asks for by an event of its own. */
async function answerSession(
  client: ApiClient,
  session: vscode.DebugSession,
  event: string,
  body: unknown,
): Promise<void> {
  const { replaceSession, offerCompilers } = await import('./adapter-bundle');
  if (event === 'forklens/simulate')
    await replaceSession(client, session, body as ChangedSimulation);
  else if (event === 'forklens/missingCompilers') {
    const { missing } = body as { missing: MissingCompiler[] };
    await offerCompilers(session, missing);
  }
}

async function endSession(client: ApiClient, session: vscode.DebugSession): Promise<void> {
  await (await import('./adapter-bundle')).sessionEnded(client, session);
}
