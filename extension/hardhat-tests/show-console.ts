import path from 'node:path';
import * as vscode from 'vscode';
import type { Hash } from '../../server/api/primitives';
import type { SourcePlace } from '../../server/api/source-locations';
import type { ApiClient } from '../model/api-client';
import type { TestFork } from '../project-tests/test-fork';
import type { TestReport } from '../project-tests/test-report';
import type { SentByTest } from './sent-failures';

/** Last transactions of a test whose messages are shown: each is executed for them. */
const MOST_TRANSACTIONS = 10;

interface Shown {
  readonly project: { readonly folder: string };
  readonly report: TestReport;
  readonly item: vscode.TestItem;
  readonly signal: AbortSignal;
}

/** Shows what the transactions of a test log by `console.log`, at its statements. */
export async function showConsole(
  client: ApiClient,
  { choice: { fork } }: TestFork,
  { transactions }: SentByTest,
  { project, report, item, signal }: Shown,
): Promise<void> {
  for (const { hash } of transactions.slice(-MOST_TRANSACTIONS)) {
    const params = { chain: fork.forkId, transaction: hash as Hash };
    // Of a transaction that cannot be recorded, the test has its result nevertheless.
    const { lines } = await client
      .call('getConsoleLines', { params }, { signal })
      .catch(() => ({ lines: [] }));
    for (const { text, place } of lines) report.write(text, item, place && locationOf(place));
  }

  function locationOf({ file, startLine, startColumn }: SourcePlace): vscode.Location {
    // Hardhat 3 names files of the project from there.
    const uri = vscode.Uri.file(path.join(project.folder, file.replace(/^project\//, '')));
    return new vscode.Location(uri, new vscode.Position(startLine - 1, startColumn - 1));
  }
}
