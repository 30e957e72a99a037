import '../editor/translations';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { BUILD_FOLDER, type ListedTest } from '../../server/client/forge';
import { lineOfTest, type TestOutcome } from '../../server/client/forge-results';
import type { Log } from '../editor/log';
import type { ApiClient } from '../model/api-client';
import { DEBUG_TYPE } from '../model/debugging';
import { ForgeProject } from './forge-project';
import { chooseFork, forkOfTests } from './test-fork';
import { registerTestLenses, type TestRunner } from './test-lenses';

interface Known {
  readonly project: ForgeProject;
  readonly test: ListedTest;
}

/** The tests of Foundry projects in the Test Explorer: Run, Debug, and Debug Last Failure. */
export class FoundryTests implements vscode.Disposable {
  readonly #controller = vscode.tests.createTestController('forklens.foundry', 'Foundry');
  readonly #projects: readonly ForgeProject[];
  /** Items of single tests. */
  readonly #known = new WeakMap<vscode.TestItem, Known>();
  readonly #listed = new vscode.EventEmitter<void>();
  readonly #disposables: { dispose(): unknown }[] = [this.#controller];
  #lastFailure: vscode.TestItem | undefined;

  constructor(
    private readonly client: ApiClient,
    private readonly log: Log,
    files: readonly vscode.Uri[],
  ) {
    this.#projects = files.map(({ fsPath }) => new ForgeProject(path.dirname(fsPath)));
    const controller = this.#controller;
    controller.refreshHandler = (token) => this.#refresh(token);
    controller.resolveHandler = async (item) => {
      if (!item) await this.#refresh();
    };
    const { Run, Debug } = vscode.TestRunProfileKind;
    const profiles = [
      controller.createRunProfile(
        l10n.t('Run'),
        Run,
        (request, token) => this.#run(request, token),
        true,
      ),
      controller.createRunProfile(
        l10n.t('Debug'),
        Debug,
        (request, token) => this.#debug(request, this.#chosen(request)[0], token),
        true,
      ),
      controller.createRunProfile(l10n.t('Debug Last Failure'), Debug, (request, token) =>
        this.#debug(request, this.#lastFailure, token),
      ),
    ];
    for (const profile of profiles) profile.configureHandler = () => void chooseFork(this.client);
    this.#disposables.push(registerTestLenses(this.#lensRunner(), this.#listed));
    const watcher = vscode.workspace.createFileSystemWatcher('**/*.t.sol');
    const listAgain = (): void => {
      void this.#refresh();
    };
    watcher.onDidCreate(listAgain);
    watcher.onDidDelete(listAgain);
    this.#disposables.push(
      watcher,
      vscode.workspace.onDidSaveTextDocument(({ fileName }) => {
        if (fileName.endsWith('.t.sol')) listAgain();
      }),
    );
  }

  dispose(): void {
    for (const one of this.#disposables) one.dispose();
  }

  /** Lists the tests again. An error is shown in place of the tests. */
  async #refresh(token?: vscode.CancellationToken): Promise<void> {
    const items: vscode.TestItem[] = [];
    for (const project of this.#projects) {
      const uri = vscode.Uri.file(project.folder);
      const item = this.#controller.createTestItem(
        project.folder,
        path.basename(project.folder),
        uri,
      );
      try {
        const tests = await project.list(signalOf(token));
        item.children.replace(await this.#itemsOf(project, tests));
      } catch (error) {
        if (token?.isCancellationRequested === true) return;
        item.error = messageOf(error);
        this.log.error(`tests of ${project.folder}: ${messageOf(error)}`);
      }
      items.push(item);
    }
    const [only, other] = items;
    const isOne = only !== undefined && other === undefined && only.error === undefined;
    this.#controller.items.replace(isOne ? [...only.children].map(([, child]) => child) : items);
    this.#listed.fire();
  }

  async #itemsOf(project: ForgeProject, tests: readonly ListedTest[]): Promise<vscode.TestItem[]> {
    const contracts = new Map<string, vscode.TestItem>();
    for (const test of tests) {
      const { file, contract, name } = test;
      const uri = vscode.Uri.file(path.join(project.folder, file));
      const id = `${project.folder}:${file}:${contract}`;
      const parent =
        contracts.get(id) ?? this.#controller.createTestItem(id, `${contract} (${file})`, uri);
      contracts.set(id, parent);
      const item = this.#controller.createTestItem(`${id}.${name}`, name, uri);
      item.range = await rangeOf(uri, test);
      this.#known.set(item, { project, test });
      parent.children.add(item);
    }
    return [...contracts.values()];
  }

  #lensRunner(): TestRunner {
    const token = new vscode.CancellationTokenSource().token;
    return {
      testsIn: (uri) =>
        this.#chosen(new vscode.TestRunRequest()).filter(
          (item) => item.uri?.toString() === uri.toString(),
        ),
      run: (item) => this.#run(new vscode.TestRunRequest([item]), token),
      debug: (item) => this.#debug(new vscode.TestRunRequest([item]), item, token),
    };
  }

  /** The single tests of a request. */
  #chosen({ include, exclude = [] }: vscode.TestRunRequest): vscode.TestItem[] {
    const found: vscode.TestItem[] = [];
    const add = (item: vscode.TestItem): void => {
      if (exclude.includes(item)) return;
      if (this.#known.has(item)) found.push(item);
      for (const [, child] of item.children) add(child);
    };
    for (const item of include ?? [...this.#controller.items].map(([, one]) => one)) add(item);
    return found;
  }

  async #run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.#controller.createTestRun(request);
    const chosen = this.#chosen(request);
    for (const item of chosen) run.started(item);
    try {
      const fork = await forkOfTests(this.client, signalOf(token));
      for (const project of this.#projects) {
        const own = chosen.filter((item) => this.#known.get(item)?.project === project);
        if (own.length === 0) continue;
        const tests = own.flatMap((item) => this.#known.get(item)?.test ?? []);
        const outcomes = await project.run(tests, fork, signalOf(token));
        for (const item of own) this.#report(run, item, outcomes);
      }
    } catch (error) {
      if (!token.isCancellationRequested) failAll(run, chosen, messageOf(error));
    } finally {
      run.end();
    }
  }

  #report(run: vscode.TestRun, item: vscode.TestItem, outcomes: readonly TestOutcome[]): void {
    const { test } = this.#known.get(item) ?? {};
    const outcome = outcomes.find(
      (one) => one.file === test?.file && one.contract === test.contract && one.name === test.name,
    );
    if (!outcome) {
      run.errored(item, new vscode.TestMessage(l10n.t('Forge did not execute this test.')));
      return;
    }
    const { status, reason, logs, cost, milliseconds } = outcome;
    const lines = [`${outcome.contract}.${outcome.name}: ${cost}`, ...logs];
    run.appendOutput(`${lines.join('\r\n')}\r\n`, undefined, item);
    if (status === 'Success') run.passed(item, milliseconds);
    else if (status === 'Skipped') run.skipped(item);
    else {
      this.#lastFailure = item;
      const text = [reason || l10n.t('The test failed without a reason.'), ...logs].join('\n');
      const message = new vscode.TestMessage(text);
      if (item.uri && item.range) message.location = new vscode.Location(item.uri, item.range);
      run.failed(item, message, milliseconds);
    }
  }

  /** Records what forge executes of a test, and opens it in the debugger. */
  async #debug(
    request: vscode.TestRunRequest,
    item: vscode.TestItem | undefined,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const run = this.#controller.createTestRun(request);
    const { project, test } = (item && this.#known.get(item)) ?? {};
    try {
      if (!item || !project || !test) {
        void vscode.window.showInformationMessage(l10n.t('No test failed in this window yet.'));
        return;
      }
      run.started(item);
      const signal = signalOf(token);
      const fork = await forkOfTests(this.client, signal);
      const { result, remove } = await project.record(test, fork, signal, async (file) => {
        const folders = [path.join(project.folder, BUILD_FOLDER, 'out')];
        await this.client.call('addArtifactFolders', { body: { folders } }, { signal });
        const place = fork && { fork: { chain: fork.chain, block: fork.block } };
        const body = { file, test: `${test.contract}.${test.name}`, ...place };
        return this.client.call('recordTest', { body }, { signal });
      });
      const { chain, transaction: hash, status, failure } = result;
      if (status) run.passed(item);
      else {
        this.#lastFailure = item;
        run.failed(item, new vscode.TestMessage(failure));
      }
      await this.#open({ name: test.name, chain, hash, isFailure: !status }, remove);
    } catch (error) {
      if (item && !token.isCancellationRequested) failAll(run, [item], messageOf(error));
    } finally {
      run.end();
    }
  }

  /** The file is kept as long as the session: a recording that is no longer kept is made from it again. */
  async #open(
    {
      name,
      chain,
      hash,
      isFailure,
    }: { name: string; chain: string; hash: string; isFailure: boolean },
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
}

function failAll(run: vscode.TestRun, items: readonly vscode.TestItem[], text: string): void {
  for (const item of items) run.errored(item, new vscode.TestMessage(text));
}

async function rangeOf(uri: vscode.Uri, test: ListedTest): Promise<vscode.Range | undefined> {
  const bytes = await vscode.workspace.fs.readFile(uri).then(
    (read) => read,
    () => undefined,
  );
  const line = bytes && lineOfTest(Buffer.from(bytes).toString(), test);
  return line === undefined ? undefined : new vscode.Range(line, 0, line, 0);
}

function signalOf(token: vscode.CancellationToken | undefined): AbortSignal {
  const controller = new AbortController();
  token?.onCancellationRequested(() => {
    controller.abort();
  });
  return controller.signal;
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
