import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Log } from '../editor/log';
import type { ApiClient } from '../model/api-client';
import { chooseFork } from './test-fork';
import { TestReport } from './test-report';
import type { ChosenTest, DeclaredTest, TestTool } from './test-tool';

/** Before changed files are read, in milliseconds: an editor often saves several at once. */
const QUIET_MS = 300;

const INSTALLED = /[\\/]node_modules[\\/]/;

/** The tests of projects in the Test Explorer: Run, Debug, and Debug Last Failure. */
export class ProjectTests<Project extends { readonly folder: string }, Test> {
  readonly #controller: vscode.TestController;
  /** Items of single tests. */
  readonly #known = new WeakMap<vscode.TestItem, { project: Project; test: Test }>();
  readonly #listed = new vscode.EventEmitter<void>();
  readonly onDidList = this.#listed.event;
  readonly #disposables: { dispose(): unknown }[] = [this.#listed];
  /** Id of its item: items are others after each listing. */
  #lastFailure: string | undefined;
  #listing = new AbortController();
  #quiet: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly tool: TestTool<Project, Test>,
    private readonly projects: readonly Project[],
    private readonly client: ApiClient,
    private readonly log: Log,
  ) {
    this.#controller = vscode.tests.createTestController(tool.id, tool.label);
    this.#disposables.push(tool, this.#controller);
    this.#controller.refreshHandler = (token) => this.#refresh(token);
    this.#controller.resolveHandler = async (item) => {
      if (!item) await this.#refresh();
    };
    this.#addProfiles();
    this.#watch();
  }

  dispose(): void {
    clearTimeout(this.#quiet);
    this.#listing.abort();
    for (const one of this.#disposables) one.dispose();
  }

  #addProfiles(): void {
    const { Run, Debug } = vscode.TestRunProfileKind;
    const add = (
      label: string,
      kind: vscode.TestRunProfileKind,
      isDefault: boolean,
      handler: (request: vscode.TestRunRequest, token: vscode.CancellationToken) => Promise<void>,
    ): void => {
      const profile = this.#controller.createRunProfile(label, kind, handler, isDefault);
      profile.configureHandler = () => void chooseFork(this.client);
    };
    add(l10n.t('Run'), Run, true, (request, token) => this.run(request, token));
    add(l10n.t('Debug'), Debug, true, (request, token) =>
      this.debug(request, this.#chosen(request)[0]?.item, token),
    );
    add(l10n.t('Debug Last Failure'), Debug, false, (request, token) =>
      this.debug(request, this.#failed(), token),
    );
  }

  #watch(): void {
    const onChange = ({ fsPath }: vscode.Uri): void => {
      if (!this.tool.isTestFile(fsPath) || INSTALLED.test(fsPath)) return;
      clearTimeout(this.#quiet);
      this.#quiet = setTimeout(() => void this.#refresh(), QUIET_MS);
    };
    const watcher = vscode.workspace.createFileSystemWatcher('**/*.{sol,js,cjs,mjs,ts,cts,mts}');
    this.#disposables.push(
      watcher,
      watcher.onDidCreate(onChange),
      watcher.onDidDelete(onChange),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        onChange(uri);
      }),
    );
  }

  /** Lists the tests again. An error is shown in place of the tests. */
  async #refresh(token?: vscode.CancellationToken): Promise<void> {
    this.#listing.abort();
    const listing = new AbortController();
    this.#listing = listing;
    token?.onCancellationRequested(() => {
      listing.abort();
    });
    const { signal } = listing;
    const items: vscode.TestItem[] = [];
    for (const project of this.projects) {
      const { folder } = project;
      const uri = vscode.Uri.file(folder);
      const item = this.#controller.createTestItem(folder, path.basename(folder), uri);
      try {
        const { tests, problem } = await this.tool.list(project, signal);
        for (const test of tests) this.#add(item, project, test);
        if (problem !== undefined) this.#showProblem(item, problem);
      } catch (error) {
        if (signal.aborted) return;
        this.#showProblem(item, messageOf(error));
      }
      items.push(item);
    }
    if (signal.aborted) return;
    const [only, other] = items;
    const isOne = only !== undefined && other === undefined && only.error === undefined;
    this.#controller.items.replace(isOne ? [...only.children].map(([, child]) => child) : items);
    this.#listed.fire();
  }

  #showProblem(item: vscode.TestItem, text: string): void {
    item.error = text;
    this.log.error(`tests of ${item.id}: ${text}`);
  }

  #add(root: vscode.TestItem, project: Project, declared: DeclaredTest<Test>): void {
    let parent = root;
    const { path: names, nth = 0, uri, range, test } = declared;
    for (const [depth, name] of names.entries()) {
      const isTest = depth === names.length - 1;
      // A group and a test may have one name.
      const id = `${parent.id}\n${isTest ? `${nth} ` : ''}${name}`;
      let item = parent.children.get(id);
      if (!item) {
        item = this.#controller.createTestItem(id, name, uri);
        parent.children.add(item);
      }
      if (isTest) {
        item.range = range;
        this.#known.set(item, { project, test });
      }
      parent = item;
    }
  }

  /** The single tests of a request. */
  #chosen({ include, exclude = [] }: vscode.TestRunRequest): ChosenTest<Test>[] {
    const found: ChosenTest<Test>[] = [];
    const add = (item: vscode.TestItem): void => {
      if (exclude.includes(item)) return;
      const known = this.#known.get(item);
      if (known) found.push({ item, test: known.test });
      for (const [, child] of item.children) add(child);
    };
    for (const item of include ?? [...this.#controller.items].map(([, one]) => one)) add(item);
    return found;
  }

  /** The tests that a file declares. */
  testsIn(uri: vscode.Uri): vscode.TestItem[] {
    return this.#all().filter((item) => item.uri?.toString() === uri.toString());
  }

  #all(): vscode.TestItem[] {
    return this.#chosen(new vscode.TestRunRequest()).map(({ item }) => item);
  }

  #failed(): vscode.TestItem | undefined {
    return this.#all().find(({ id }) => id === this.#lastFailure);
  }

  async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.#controller.createTestRun(request);
    const report = this.#reportOf(run);
    const chosen = this.#chosen(request);
    for (const { item } of chosen) run.started(item);
    let own: ChosenTest<Test>[] = [];
    try {
      for (const project of this.projects) {
        own = chosen.filter(({ item }) => this.#known.get(item)?.project === project);
        if (own.length > 0) await this.tool.run(project, own, report, signalOf(token));
      }
    } catch (error) {
      if (token.isCancellationRequested) return;
      for (const { item } of own) report.errored(item, messageOf(error));
    } finally {
      run.end();
    }
  }

  async debug(
    request: vscode.TestRunRequest,
    item: vscode.TestItem | undefined,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const known = item && this.#known.get(item);
    if (!item || !known) {
      void vscode.window.showInformationMessage(l10n.t('No test failed in this window yet.'));
      return;
    }
    const run = this.#controller.createTestRun(request);
    const report = this.#reportOf(run);
    run.started(item);
    try {
      const { project, test } = known;
      await this.tool.debug(project, { item, test }, report, signalOf(token));
    } catch (error) {
      if (!token.isCancellationRequested) report.errored(item, messageOf(error));
    } finally {
      run.end();
    }
  }

  #reportOf(run: vscode.TestRun): TestReport {
    return new TestReport(run, (item) => {
      this.#lastFailure = item.id;
    });
  }
}

function signalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  token.onCancellationRequested(() => {
    controller.abort();
  });
  return controller.signal;
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
