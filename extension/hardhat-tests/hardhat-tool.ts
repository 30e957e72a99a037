import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { lineOfTest } from '../../server/client/forge-results';
import { rpcUrlOf } from '../../server/client/fork-rpc';
import type { ApiClient } from '../model/api-client';
import { chooseFork, closeTestFork, openTestFork, type TestFork } from '../project-tests/test-fork';
import type { TestReport } from '../project-tests/test-report';
import type { ChosenTest, ProjectListing, TestTool } from '../project-tests/test-tool';
import { openSent } from './debug-sent';
import type { HardhatProject, HardhatRun } from './hardhat-project';
import { RecordingProxy } from './recording-proxy';
import { keyOf, type ListedTest, type TestOutcome } from './report';
import { readSent, sentDuring, type SentByTest } from './sent-failures';
import { showConsole } from './show-console';

/** A run, and what its tests sent to the fork. */
interface ForkedRun extends HardhatRun {
  readonly fork: TestFork | undefined;
  readonly sent: RecordingProxy['sent'];
}

/** Tests of Hardhat 2 and 3, executed by the project's own Hardhat. */
export class HardhatTool implements TestTool<HardhatProject, ListedTest> {
  readonly id = 'forklens.hardhat';
  readonly label = 'Hardhat';
  readonly #listed = new WeakMap<HardhatProject, readonly ListedTest[]>();
  /** The last one that was made for tests: its transactions are debugged after the run. */
  #throwAway: TestFork | undefined;

  constructor(private readonly client: ApiClient) {}

  isTestFile(file: string): boolean {
    return /\.t\.sol$|[\\/]tests?[\\/].*\.([cm]?[jt]s|sol)$/.test(file);
  }

  async list(project: HardhatProject, signal: AbortSignal): Promise<ProjectListing<ListedTest>> {
    const { tests: listed, problem } = await project.list(signal);
    this.#listed.set(project, listed);
    const tests = await Promise.all(
      listed.map(async (test) => {
        const uri = vscode.Uri.file(test.file);
        const file = path.relative(project.folder, test.file);
        const line = test.line === undefined ? await lineInSolidity(test, uri) : test.line - 1;
        const range = line === undefined ? undefined : new vscode.Range(line, 0, line, 0);
        return { test, path: [file, ...test.path], nth: test.nth, uri, range };
      }),
    );
    return { tests, problem };
  }

  async run(
    project: HardhatProject,
    chosen: readonly ChosenTest<ListedTest>[],
    report: TestReport,
    signal: AbortSignal,
  ): Promise<void> {
    const run = await this.#execute(project, chosen, report, signal);
    for (const one of chosen) {
      const outcome = outcomeOf(one.test, run);
      const { fork } = run;
      if (!fork || outcome?.status !== 'failed') {
        show(one, outcome, undefined, run, report);
        continue;
      }
      const sent = await readSent(fork.choice.fork, sentDuring(outcome, run.sent), signal);
      show(one, outcome, sent, run, report);
      await showConsole(this.client, fork, sent, { project, report, item: one.item, signal });
    }
  }

  /** Executes a test on the fork, and opens the transaction that failed. */
  async debug(
    project: HardhatProject,
    chosen: ChosenTest<ListedTest>,
    report: TestReport,
    signal: AbortSignal,
  ): Promise<void> {
    const { test, item } = chosen;
    if (test.runner === 'solidity') {
      report.errored(
        item,
        l10n.t(
          'Hardhat does not write the steps of tests in Solidity: debug them with Foundry, which needs a foundry.toml in the project.',
        ),
      );
      return;
    }
    let fork = await this.#openFork(signal);
    if (!fork && (await chooseFork(this.client))) fork = await this.#openFork(signal);
    if (!fork) {
      report.errored(
        item,
        l10n.t(
          'Tests of Hardhat are debugged on a fork: choose one, or a chain, with Configure Test Profiles.',
        ),
      );
      return;
    }
    const run = await this.#executeOn(fork, project, [chosen], report, signal);
    const outcome = outcomeOf(test, run);
    // Nothing else ran: where the time of the test is not known, all that was sent is its own.
    const isTimed = outcome?.began !== undefined;
    const own = isTimed ? sentDuring(outcome, run.sent) : run.sent;
    const sent = await readSent(fork.choice.fork, own, signal);
    show(chosen, outcome, sent, run, report);
    await showConsole(this.client, fork, sent, { project, report, item, signal });
    await openSent(fork, sent, { name: test.path.at(-1) ?? '', report, item, signal });
  }

  dispose(): void {
    if (this.#throwAway) void closeTestFork(this.client, this.#throwAway);
  }

  async #openFork(signal: AbortSignal): Promise<TestFork | undefined> {
    const fork = await openTestFork(this.client, 'test', signal);
    if (fork?.isThrowAway !== true) return fork;
    if (this.#throwAway) await closeTestFork(this.client, this.#throwAway);
    this.#throwAway = fork;
    return fork;
  }

  async #execute(
    project: HardhatProject,
    chosen: readonly ChosenTest<ListedTest>[],
    report: TestReport,
    signal: AbortSignal,
  ): Promise<ForkedRun> {
    return this.#executeOn(await this.#openFork(signal), project, chosen, report, signal);
  }

  async #executeOn(
    fork: TestFork | undefined,
    project: HardhatProject,
    chosen: readonly ChosenTest<ListedTest>[],
    report: TestReport,
    signal: AbortSignal,
  ): Promise<ForkedRun> {
    const proxy = fork && (await RecordingProxy.start(rpcUrlOf(fork.choice.fork)));
    try {
      const tests = chosen.map(({ test }) => test);
      const all = this.#listed.get(project) ?? tests;
      const run = await project.run(tests, all, proxy?.url, signal);
      report.write(run.printed);
      return { ...run, fork, sent: proxy?.sent ?? [] };
    } finally {
      proxy?.close();
    }
  }
}

const outcomeOf = (test: ListedTest, { outcomes }: HardhatRun): TestOutcome | undefined =>
  outcomes.find((one) => one.nth === test.nth && keyOf(one) === keyOf(test));

function show(
  { test, item }: ChosenTest<ListedTest>,
  outcome: TestOutcome | undefined,
  sent: SentByTest | undefined,
  { broken }: HardhatRun,
  report: TestReport,
): void {
  if (!outcome) {
    const cause = broken.find(
      ({ file, path: titles }) =>
        file === test.file && titles.every((title, depth) => title === test.path[depth]),
    );
    if (cause) report.failed(item, cause.message);
    else report.errored(item, l10n.t('Hardhat did not execute this test.'));
    return;
  }
  const { status, milliseconds, message = '', line, logs = [], cost } = outcome;
  const lines = [...(cost === undefined ? [] : [`${test.path.join('.')}: ${cost}`]), ...logs];
  if (lines.length > 0) report.write(lines.join('\n'), item);
  if (status === 'passed') report.passed(item, milliseconds);
  else if (status === 'skipped') report.skipped(item);
  else {
    const reason = message === '' ? l10n.t('The test failed without a reason.') : message;
    const text = [reason, ...logs, ...failureText(sent)].join('\n');
    report.failed(item, text, milliseconds, line === undefined ? undefined : line - 1);
  }
}

/** Names what failed on the fork. */
function failureText(sent: SentByTest | undefined): string[] {
  const { failure } = sent ?? {};
  if (!failure) return [];
  if ('hash' in failure) {
    return [l10n.t('Transaction {0} failed on the fork: Debug Test opens it.', failure.hash)];
  }
  const { call, message } = failure;
  return [
    l10n.t(
      'The fork refused a call of {0} ({1}): Debug Test opens it.',
      call.to ?? l10n.t('a new contract'),
      message,
    ),
  ];
}

async function lineInSolidity(
  { runner, path: [contract = '', name = ''] }: ListedTest,
  uri: vscode.Uri,
): Promise<number | undefined> {
  if (runner !== 'solidity') return undefined;
  const bytes = await vscode.workspace.fs.readFile(uri).then(
    (read) => read,
    () => undefined,
  );
  return bytes && lineOfTest(Buffer.from(bytes).toString(), { contract, name });
}
