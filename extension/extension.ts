import './editor/translations';
import * as vscode from 'vscode';
import { registerLanguageModelTools } from './agents/language-model-tools';
import { registerMcpProvider } from './agents/mcp-provider';
import type { TestApi } from './api';
import { ChangeListener } from './service/change-listener';
import { followChanges } from './account/follow-changes';
import { ServiceClient } from './service/service-client';
import { SessionAccess } from './account/session-access';
import { WorkspaceArtifacts } from './build-output/workspace-artifacts';
import { accountCommands } from './account/account-commands';
import type { CommandContext } from './model/command-context';
import { forkAccessCommands } from './forks/fork-access-commands';
import { forkCommands } from './forks/fork-commands';
import { forkStateCommands } from './forks/fork-state-commands';
import { foundryTestCommand } from './foundry/foundry-test-command';
import { projectCommands } from './projects/project-commands';
import { compareCommands } from './inspector/compare-commands';
import { inspectorCommands } from './inspector/inspector-commands';
import { registerCommands } from './ui/register-commands';
import { resendCommands } from './transactions/resend-commands';
import { serviceCommands } from './service/service-commands';
import { snapshotCommands } from './forks/snapshot-commands';
import { transactionCommands } from './transactions/transaction-commands';
import { debugCommands } from './debugger/debug-commands';
import { DebugPlaces } from './debugger/debug-places';
import { registerContractLenses } from './what-if/contract-lenses';
import { whatIfCommands } from './what-if/what-if-commands';
import { ExecutedLines } from './debugger/executed-lines';
import { compilerCommands } from './compilers/compiler-commands';
import { registerDebugger } from './debugger/register-debugger';
import { followContextKeys, noteDone } from './account/context-keys';
import { Doctor } from './doctor/doctor-command';
import { endpointCommands } from './endpoints/endpoint-commands';
import { EndpointStore } from './endpoints/endpoint-store';
import { EndpointSync } from './endpoints/endpoint-sync';
import { firstRunCommands } from './first-run/first-run-commands';
import { registerLiteralHover } from './links/literal-hover';
import { AnalysisWorker } from './inspector/analysis-worker';
import { ComparePanels } from './inspector/compare-panels';
import { InspectorPanels } from './inspector/inspector-panels';
import { openCommands, registerDataLenses } from './open/open-commands';
import { labelCommands } from './labels/label-commands';
import { Labels } from './labels/labels';
import { LabelsView } from './labels/labels-view';
import { ChainsView } from './chains/chains-view';
import { followRecent, notedPanels } from './recent/follow-recent';
import { RecentEntries } from './recent/recent-entries';
import { RecentView } from './recent/recent-view';
import { registerTerminalLinks } from './links/terminal-links';
import { registerProjectTests } from './test-explorer/register-project-tests';
import { registerUriHandler } from './links/uri-handler';
import { reloadWhenBuilt } from './editor/reload-when-built';
import { Secrets } from './editor/secrets';
import { createService } from './service/create-service';
import { ServiceManager } from './service/service-manager';
import { createStatusBar } from './service/status-bar';
import { Session } from './account/session';
import { SERVICE_SETTINGS } from './editor/settings';
import { ContractBook } from './contracts/contract-book';
import { contractCommands } from './contracts/contract-commands';
import { Watching } from './watch/watching';
import { historyCommands } from './history/history-commands';
import { AddressPanels } from './address-page/address-panels';
import { registerDeployLenses } from './contracts/deploy-lenses';
import { registerCases } from './cases/register-cases';
import { registerNotebook } from './notebook/register-notebook';
import { registerFunctionLenses } from './simulate/function-lenses';
import { simulateFunctionCommand } from './simulate/simulate-function';
import { displayOf } from './projects/node-displays';
import { ProjectTreeModel } from './projects/project-tree-model';
import { ProjectTreeView } from './projects/project-tree-view';

let service: ServiceManager | undefined;

/** Builds and registers everything. The service starts on first use. */
export function activate(context: vscode.ExtensionContext): TestApi | undefined {
  const startedAt = performance.now();
  const access = buildAccess(context);
  service = access.manager;
  const parts = buildViews(context, access);
  const { subscriptions } = context;
  subscriptions.push(...registrations(context, parts));
  const [notebooks, notebookCommands] = registerNotebook({
    client: parts.client,
    service: parts.manager,
    memento: context.workspaceState,
    log: parts.log,
    analyses: parts.worker,
    extensionUri: context.extensionUri,
    subscriptions,
  });
  const [cases, caseCommands] = registerCases(parts.commands, (panel, source) => {
    parts.inspector.adopt(panel, source);
  });
  const commands = { ...commandsOf(context, parts), ...notebookCommands, ...caseCommands };
  subscriptions.push(
    notebooks,
    cases,
    registerCommands(commands, parts.log, noteDone),
    followServiceSettings(parts.manager),
  );
  followBuilds(context);
  if (context.extensionMode !== vscode.ExtensionMode.Test) return undefined;
  return testApi(parts, performance.now() - startedAt);
}

/** The service, and how the window reaches it. */
function buildAccess({ secrets: storage, extensionUri, workspaceState }: vscode.ExtensionContext) {
  const log = vscode.window.createOutputChannel('Forklens', { log: true });
  const endpoints = new EndpointStore(storage);
  const sync = new EndpointSync(endpoints, log);
  const manager = new ServiceManager(
    () => createService(extensionUri, log, (directory) => sync.begin(directory)),
    log,
  );
  const secrets = new Secrets(storage);
  const session = new Session(manager, secrets, log);
  const access = new SessionAccess(manager, session);
  const client = new ServiceClient(access);
  const contracts = new ContractBook(client, workspaceState, log);
  const changes = new ChangeListener(access, log);
  return { log, endpoints, sync, manager, secrets, session, access, client, contracts, changes };
}

/** The views and panels, and what commands work with. */
function buildViews(
  { extensionUri, globalState, workspaceState: memento }: vscode.ExtensionContext,
  parts: ReturnType<typeof buildAccess>,
) {
  const { log, manager, session, access, client, contracts, changes } = parts;
  const tree = new ProjectTreeModel(client, manager, session, log, contracts);
  const worker = new AnalysisWorker(
    vscode.Uri.joinPath(extensionUri, 'dist/inspector-worker.js').fsPath,
    access,
  );
  const places = new DebugPlaces();
  const inspector = new InspectorPanels({ extensionUri, client, worker, debugging: places, log });
  const comparisons = new ComparePanels({ extensionUri, client, worker });
  const recent = new RecentEntries(globalState, Date.now);
  const watching = new Watching({ client, service: manager, memento, log }, changes);
  const commands: CommandContext = {
    client,
    service: manager,
    tree,
    log,
    ...notedPanels({ inspector, comparisons }, recent),
    memento,
  };
  return {
    ...parts,
    tree,
    treeView: new ProjectTreeView(tree, manager, session, changes),
    worker,
    places,
    inspector,
    comparisons,
    recent,
    recentView: new RecentView(recent),
    watching,
    chainsView: new ChainsView(client, manager, watching),
    addresses: new AddressPanels({ client, memento }, extensionUri, () => recent.list()),
    commands,
    labels: new Labels(client),
    executedLines: new ExecutedLines(),
    builds: new WorkspaceArtifacts(client, manager, log),
    doctor: new Doctor(extensionUri, parts.endpoints),
  };
}

type Parts = ReturnType<typeof buildViews>;

/** What ends with the window: the parts themselves, and what they offer in the editor. */
function registrations(
  { extension }: vscode.ExtensionContext,
  parts: Parts,
): vscode.ExtensionContext['subscriptions'] {
  const { log, secrets, endpoints, sync, manager, session, client, changes } = parts;
  const { treeView, worker, places, inspector, comparisons, recent, watching, builds } = parts;
  return [
    log,
    secrets,
    endpoints,
    sync,
    parts.doctor,
    session,
    followContextKeys(manager, session),
    createStatusBar(manager),
    changes,
    treeView,
    inspector.register(),
    inspector.follow(changes),
    followChanges(changes, manager, session, [treeView, inspector, watching]),
    comparisons.register(),
    worker,
    builds,
    parts.chainsView,
    watching,
    parts.addresses,
    parts.recentView,
    followRecent(recent, inspector),
    new LabelsView(parts.labels, manager, session, log),
    registerLanguageModelTools(extension, client),
    registerMcpProvider(extension, manager, session),
    registerLiteralHover(parts.commands),
    registerFunctionLenses(),
    registerDeployLenses(),
    registerContractLenses(places, inspector),
    registerProjectTests(client, log),
    registerTerminalLinks(),
    registerDataLenses(),
    registerUriHandler(),
    registerDebugger(
      { client, log, changes, builds, shown: () => inspector.shownTransactions() },
      places,
      parts.executedLines,
    ),
  ];
}

/** Commands by the folders that implement them. */
function commandsOf({ extension }: vscode.ExtensionContext, parts: Parts) {
  const { commands, manager, session, places, executedLines, endpoints, sync } = parts;
  return {
    ...accountCommands({ service: manager, session }),
    ...projectCommands(commands),
    ...forkCommands(commands),
    ...forkAccessCommands(commands),
    ...forkStateCommands(commands),
    ...snapshotCommands(commands),
    ...resendCommands(commands),
    ...foundryTestCommand(commands),
    ...transactionCommands(commands),
    ...openCommands(commands),
    ...parts.chainsView.commands(),
    ...parts.watching.commands(),
    ...parts.addresses.commands(),
    ...parts.recentView.commands(commands),
    ...labelCommands(commands, parts.labels),
    ...simulateFunctionCommand(commands, parts.contracts),
    ...debugCommands(commands, places, executedLines),
    ...whatIfCommands(commands, places),
    ...historyCommands(commands),
    ...contractCommands(commands, parts.contracts),
    ...endpointCommands(commands, endpoints, sync),
    ...firstRunCommands(commands, extension),
    ...parts.doctor.commands(),
    ...compilerCommands(extension.extensionUri),
    ...inspectorCommands(commands),
    ...compareCommands(commands),
    ...serviceCommands(commands),
  };
}

/** Another service runs after a change of its settings. */
const followServiceSettings = (manager: ServiceManager): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration((change) => {
    if (SERVICE_SETTINGS.some((name) => change.affectsConfiguration(name))) {
      void manager.replace();
    }
  });

/** Reloads windows of development after a build. */
function followBuilds({
  extensionMode,
  extensionUri,
  subscriptions,
}: vscode.ExtensionContext): void {
  const isDevelopment = extensionMode === vscode.ExtensionMode.Development;
  if (!isDevelopment || process.env['FORKLENS_RELOAD'] !== '1') return;
  const stamp = vscode.Uri.joinPath(extensionUri, 'dist/extension-built').fsPath;
  const reload = () => void vscode.commands.executeCommand('workbench.action.reloadWindow');
  subscriptions.push(reloadWhenBuilt(stamp, reload));
}

const testApi = ({ manager, session, client, tree }: Parts, activationMs: number): TestApi => ({
  activationMs,
  serviceState: () => manager.state,
  onDidChangeServiceState: manager.onDidChangeState,
  sessionState: () => session.state,
  client,
  children: (node) => tree.children(node),
  view: (node) => displayOf(node, Date.now()),
});

/** The service must not outlive the window. Its lifeline also ends with this process. */
export async function deactivate(): Promise<void> {
  await service?.dispose();
}
