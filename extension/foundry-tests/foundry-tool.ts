import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { BUILD_FOLDER, type ListedTest } from '../../server/client/forge';
import { lineOfTest, type TestOutcome } from '../../server/client/forge-results';
import type { ApiClient } from '../model/api-client';
import { DEBUG_TYPE } from '../model/debugging';
import { withTestFork } from '../project-tests/test-fork';
import type { TestReport } from '../project-tests/test-report';
import type { ChosenTest, ProjectListing, TestTool } from '../project-tests/test-tool';
import type { ForgeProject } from './forge-project';

/** A test that was recorded. */
interface Recorded {
  readonly name: string;
  readonly chain: string;
  readonly hash: string;
  readonly isFailure: boolean;
}

/** Tests of Foundry, executed by forge. */
export class FoundryTool implements TestTool<ForgeProject, ListedTest> {
  readonly id = 'forklens.foundry';
  readonly label = 'Foundry';

  constructor(private readonly client: ApiClient) {}

  isTestFile(file: string): boolean {
    return file.endsWith('.t.sol');
  }

  async list(project: ForgeProject, signal: AbortSignal): Promise<ProjectListing<ListedTest>> {
    const listed = await project.list(signal);
    const tests = await Promise.all(
      listed.map(async (test) => {
        const { file, contract, name } = test;
        const uri = vscode.Uri.file(path.join(project.folder, file));
        const range = await rangeOf(uri, test);
        return { test, path: [`${contract} (${file})`, name], uri, range };
      }),
    );
    return { tests };
  }

  async run(
    project: ForgeProject,
    chosen: readonly ChosenTest<ListedTest>[],
    report: TestReport,
    signal: AbortSignal,
  ): Promise<void> {
    const tests = chosen.map(({ test }) => test);
    const outcomes = await withTestFork(this.client, signal, (fork) =>
      project.run(tests, fork, signal),
    );
    for (const { item, test } of chosen) {
      const outcome = outcomes.find(
        ({ file, contract, name }) =>
          file === test.file && contract === test.contract && name === test.name,
      );
      if (outcome) show(outcome, item, report);
      else report.errored(item, l10n.t('Forge did not execute this test.'));
    }
  }

  /** Records what forge executes of a test, and opens it in the debugger. */
  async debug(
    project: ForgeProject,
    { test, item }: ChosenTest<ListedTest>,
    report: TestReport,
    signal: AbortSignal,
  ): Promise<void> {
    const recorded = await withTestFork(this.client, signal, (fork) =>
      project.record(test, fork, signal, async (file) => {
        const folders = [path.join(project.folder, BUILD_FOLDER, 'out')];
        await this.client.call('addArtifactFolders', { body: { folders } }, { signal });
        const place = fork && { fork: { chain: fork.chain, block: fork.block } };
        const body = { file, test: `${test.contract}.${test.name}`, ...place };
        return this.client.call('recordTest', { body }, { signal });
      }),
    );
    const { chain, transaction: hash, status, failure } = recorded.result;
    if (status) report.passed(item);
    else report.failed(item, failure);
    await open({ name: test.name, chain, hash, isFailure: !status }, recorded.remove);
  }

  dispose(): void {
    // It keeps nothing.
  }
}

function show(outcome: TestOutcome, item: vscode.TestItem, report: TestReport): void {
  const { contract, name, status, reason, logs, cost, milliseconds } = outcome;
  report.write([`${contract}.${name}: ${cost}`, ...logs].join('\n'), item);
  if (status === 'Success') report.passed(item, milliseconds);
  else if (status === 'Skipped') report.skipped(item);
  else {
    const text = [reason || l10n.t('The test failed without a reason.'), ...logs].join('\n');
    report.failed(item, text, milliseconds);
  }
}

/** The file is kept as long as the session: a recording that is no longer kept is made from it again. */
async function open(
  { name, chain, hash, isFailure }: Recorded,
  remove: () => Promise<void>,
): Promise<void> {
  const ended = vscode.debug.onDidTerminateDebugSession(({ configuration }) => {
    if (configuration['hash'] !== hash) return;
    ended.dispose();
    void remove();
  });
  const stopAt = isFailure ? 'failure' : 'entry';
  const configuration = { type: DEBUG_TYPE, request: 'launch', name, chain, hash, stopAt };
  if (await vscode.debug.startDebugging(undefined, configuration)) return;
  ended.dispose();
  await remove();
}

async function rangeOf(uri: vscode.Uri, test: ListedTest): Promise<vscode.Range | undefined> {
  const bytes = await vscode.workspace.fs.readFile(uri).then(
    (read) => read,
    () => undefined,
  );
  const line = bytes && lineOfTest(Buffer.from(bytes).toString(), test);
  return line === undefined ? undefined : new vscode.Range(line, 0, line, 0);
}
