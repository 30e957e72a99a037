import './translations';
import * as vscode from 'vscode';
import { registerLanguageModelTools } from './agents/language-model-tools';
import { registerMcpProvider } from './agents/mcp-provider';
import type { TestApi } from './api';
import { ChangeListener } from './client/change-listener';
import { followChanges } from './client/follow-changes';
import { ServiceClient } from './client/service-client';
import { SessionAccess } from './client/session-access';
import { WorkspaceArtifacts } from './build-output/workspace-artifacts';
import { accountCommands } from './commands/account-commands';
import type { CommandContext } from './commands/command-context';
import { forkAccessCommands } from './commands/fork-access-commands';
import { forkCommands } from './commands/fork-commands';
import { forkStateCommands } from './commands/fork-state-commands';
import { foundryTestCommand } from './commands/foundry-test-command';
import { projectCommands } from './commands/project-commands';
import { compareCommands } from './commands/compare-commands';
import { inspectorCommands } from './commands/inspector-commands';
import { registerCommands } from './commands/register-commands';
import { resendCommands } from './commands/resend-commands';
import { serviceCommands } from './commands/service-commands';
import { snapshotCommands } from './commands/snapshot-commands';
import { transactionCommands } from './commands/transaction-commands';
import { followContextKeys, noteDone } from './context-keys';
import { Doctor } from './doctor/doctor-command';
import { endpointCommands } from './endpoints/endpoint-commands';
import { EndpointStore } from './endpoints/endpoint-store';
import { EndpointSync } from './endpoints/endpoint-sync';
import { firstRunCommands } from './first-run/first-run-commands';
import { registerLiteralHover } from './hover/literal-hover';
import { AnalysisWorker } from './inspector/analysis-worker';
import { ComparePanels } from './inspector/compare-panels';
import { InspectorPanels } from './inspector/inspector-panels';
import { labelCommands } from './labels/label-commands';
import { Labels } from './labels/labels';
import { LabelsView } from './labels/labels-view';
import { registerTerminalLinks } from './links/terminal-links';
import { registerUriHandler } from './links/uri-handler';
import { Secrets } from './secrets';
import { createService } from './server-process/create-service';
import { ServiceManager } from './server-process/service-manager';
import { createStatusBar } from './server-process/status-bar';
import { Session } from './session';
import { SERVICE_SETTINGS } from './settings';
import { registerFunctionLenses } from './simulate/function-lenses';
import { simulateFunctionCommand } from './simulate/simulate-function';
import { viewOf } from './views/node-view';
import { ProjectTree } from './views/project-tree';
import { ProjectTreeView } from './views/project-tree-view';

let service: ServiceManager | undefined;

/** Builds and registers everything. The service starts on first use. */
export function activate(context: vscode.ExtensionContext): TestApi | undefined {
  const startedAt = performance.now();
  const log = vscode.window.createOutputChannel('Forklens', { log: true });
  const endpoints = new EndpointStore(context.secrets);
  const sync = new EndpointSync(endpoints, log);
  const manager = new ServiceManager(
    () => createService(context.extensionUri, log, (directory) => sync.begin(directory)),
    log,
  );
  service = manager;
  const secrets = new Secrets(context.secrets);
  const session = new Session(manager, secrets, log);
  const access = new SessionAccess(manager, session);
  const client = new ServiceClient(access);
  const tree = new ProjectTree(client, manager, session, log);
  const changes = new ChangeListener(access, log);
  const treeView = new ProjectTreeView(tree, manager, session, changes);
  const { extensionUri } = context;
  const worker = new AnalysisWorker(
    vscode.Uri.joinPath(extensionUri, 'dist/inspector-worker.js').fsPath,
    access,
  );
  const inspector = new InspectorPanels({ extensionUri, client, worker, log });
  const comparisons = new ComparePanels({ extensionUri, client, worker });
  const commands: CommandContext = {
    ...{ client, service: manager, session, tree, inspector, comparisons, log },
    memento: context.workspaceState,
  };
  const labels = new Labels(client);
  const doctor = new Doctor(context.extensionUri, endpoints);

  context.subscriptions.push(
    log,
    secrets,
    endpoints,
    sync,
    doctor,
    session,
    followContextKeys(manager, session),
    createStatusBar(manager),
    changes,
    treeView,
    inspector.register(),
    inspector.follow(changes),
    followChanges(changes, manager, session, [treeView, inspector]),
    comparisons.register(),
    worker,
    new WorkspaceArtifacts(client, manager, log),
    new LabelsView(labels, manager, session, log),
    registerLanguageModelTools(client),
    registerMcpProvider(context.extension, manager, session),
    registerLiteralHover(commands),
    registerFunctionLenses(),
    registerTerminalLinks(),
    registerUriHandler(),
    registerCommands(
      {
        ...accountCommands(commands),
        ...projectCommands(commands),
        ...forkCommands(commands),
        ...forkAccessCommands(commands),
        ...forkStateCommands(commands),
        ...snapshotCommands(commands),
        ...resendCommands(commands),
        ...foundryTestCommand(commands),
        ...transactionCommands(commands),
        ...labelCommands(commands, labels),
        ...simulateFunctionCommand(commands),
        ...endpointCommands(commands, endpoints, sync),
        ...firstRunCommands(commands, context.extension),
        ...doctor.commands(),
        ...inspectorCommands(commands),
        ...compareCommands(commands),
        ...serviceCommands(commands),
      },
      log,
      noteDone,
    ),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (SERVICE_SETTINGS.some((name) => change.affectsConfiguration(name))) {
        void manager.replace();
      }
    }),
  );
  if (context.extensionMode !== vscode.ExtensionMode.Test) return undefined;
  return {
    activationMs: performance.now() - startedAt,
    serviceState: () => manager.state,
    onDidChangeServiceState: manager.onDidChangeState,
    sessionState: () => session.state,
    client,
    children: (node) => tree.children(node),
    view: (node) => viewOf(node, Date.now()),
  };
}

/** The service must not outlive the window. Its lifeline also ends with this process. */
export async function deactivate(): Promise<void> {
  await service?.dispose();
}
