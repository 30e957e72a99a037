import type * as vscode from 'vscode';
import type { Label } from '../../server/api/labels';
import type { SideId, Simulation, Target } from '../../media/inspector/protocol/protocol';
import type {
  ContractNode,
  ContractsNode,
  ForkNode,
  FunctionNode,
  LoadMoreNode,
  ProjectNode,
  SnapshotNode,
  SnapshotsNode,
  TransactionNode,
  TreeNode,
} from './tree-node';
import type { ChainsNode, WatchNode } from './chain-node';
import type { DebugTarget, VariableContext } from './debugging';
import type { RecentEntry } from './recent';
import type {
  BlockTarget,
  ChangeTarget,
  ContractTarget,
  FunctionTarget,
  StateWriterTarget,
  TransactionTarget,
} from './targets';

/**
 * Every command with its parameters. Menus of the tree pass the node; the command palette passes none, and the command asks for it.
 * To add a command, declare it here and in package.json, then implement it in the file of its resource.
 */
export interface Commands {
  'forklens.signIn': () => Promise<void>;
  'forklens.signOut': () => Promise<void>;
  'forklens.copyAccessKey': () => Promise<void>;
  'forklens.createProject': () => Promise<void>;
  'forklens.deleteProject': (node?: ProjectNode) => Promise<void>;
  'forklens.copyProjectId': (node?: ProjectNode) => Promise<void>;
  'forklens.createFork': (node?: ProjectNode) => Promise<void>;
  /** Also run by an inspector and by the hover card of a hash. */
  'forklens.forkBeforeTransaction': (target?: TransactionNode | TransactionTarget) => Promise<void>;
  'forklens.deleteFork': (node?: ForkNode) => Promise<void>;
  'forklens.startFork': (node?: ForkNode) => Promise<void>;
  /** Starts a fork that failed. */
  'forklens.retryFork': (node: ForkNode) => Promise<void>;
  'forklens.createSnapshot': (node?: ForkNode | SnapshotsNode) => Promise<void>;
  'forklens.revertSnapshot': (node?: SnapshotNode) => Promise<void>;
  'forklens.deleteSnapshot': (node?: SnapshotNode) => Promise<void>;
  'forklens.copySnapshotId': (node: SnapshotNode) => Promise<void>;
  'forklens.fundAccount': (node?: ForkNode) => Promise<void>;
  'forklens.impersonateAccount': (node?: ForkNode) => Promise<void>;
  'forklens.stopImpersonating': (node?: ForkNode) => Promise<void>;
  'forklens.setForkTime': (node?: ForkNode) => Promise<void>;
  'forklens.mineBlocks': (node?: ForkNode) => Promise<void>;
  'forklens.copyForkAs': (node?: ForkNode) => Promise<void>;
  'forklens.openForkTerminal': (node?: ForkNode) => Promise<void>;
  'forklens.sendRpcRequest': (node?: ForkNode) => Promise<void>;
  'forklens.resimulateTransaction': (
    target?: TransactionNode | TransactionTarget | Simulation,
  ) => Promise<void>;
  'forklens.resendTransaction': (target?: TransactionNode | TransactionTarget) => Promise<void>;
  'forklens.createFoundryTest': (target?: TransactionNode | TransactionTarget) => Promise<void>;
  /** Writes all that is read about an analysis into a file. Also run by an inspector, and on what the user sees. */
  'forklens.saveAsCase': (
    target?: TransactionNode | TransactionTarget | Simulation,
  ) => Promise<void>;
  'forklens.openCase': () => Promise<void>;
  'forklens.closeCase': () => Promise<void>;
  'forklens.copyRpcUrl': (node?: ForkNode) => Promise<void>;
  'forklens.renewRpcUrl': (node?: ForkNode) => Promise<void>;
  'forklens.copyForkId': (node?: ForkNode) => Promise<void>;
  'forklens.analyzeTransaction': (node?: TransactionNode | ForkNode) => Promise<void>;
  /** Shows the effects of a transaction that was not sent. Called by other commands, not listed in the palette. */
  'forklens.showSimulation': (simulation: Simulation) => Promise<void>;
  /** Shows two analyses side by side. Called by other commands, not listed in the palette. */
  'forklens.compareAnalyses': (sides: Record<SideId, Target | Simulation>) => Promise<void>;
  /** Also run by an inspector, with its own source. */
  'forklens.compareWith': (target?: Target | Simulation) => Promise<void>;
  'forklens.analyzeSelection': () => Promise<void>;
  /** Searches for the transaction if no chain is given. */
  'forklens.openTransaction': (target: {
    transaction: string;
    chain?: string;
    node?: number;
  }) => Promise<void>;
  /** Asks for anything pasted, and does what is meant. */
  'forklens.open': () => Promise<void>;
  /** The following three act on a document of decoded data. */
  'forklens.copyData': (document: vscode.Uri) => Promise<void>;
  'forklens.simulateData': (document: vscode.Uri) => Promise<void>;
  'forklens.chooseSignature': (document: vscode.Uri) => Promise<void>;
  'forklens.copyLiteral': (literal: string) => Promise<void>;
  'forklens.simulateFunction': (target: FunctionTarget) => Promise<void>;
  /** Also run by an inspector, a hover card and a link, with what they show. With `stopAt`, it moves a debugger that runs. */
  'forklens.debugTransaction': (target?: TransactionNode | DebugTarget) => Promise<void>;
  'forklens.debugFunction': (target: FunctionTarget) => Promise<void>;
  'forklens.toggleExecutedLines': () => Promise<void>;
  'forklens.switchBuild': () => Promise<void>;
  /** The menu of a variable passes it. */
  'forklens.goToWriter': (given?: VariableContext) => Promise<void>;
  'forklens.goToStep': () => Promise<void>;
  'forklens.copySessionLink': () => Promise<void>;
  /** Called by an inspector, not listed in the palette. */
  'forklens.goToStateWriter': (part: StateWriterTarget) => Promise<void>;
  /** Also run above the line at which a debugged call fails. */
  'forklens.changeAndRunAgain': (target?: TransactionTarget | Simulation) => Promise<void>;
  /** Runs a debugged or shown transaction with the workspace's build of a contract. The editor's menu passes the address of its file. */
  'forklens.runAgainWithCode': (target?: ContractTarget | vscode.Uri) => Promise<void>;
  /** The editor's menus pass the address of a source or an artifact. */
  'forklens.deployContract': (target?: ContractTarget | ForkNode | vscode.Uri) => Promise<void>;
  'forklens.addContract': (node?: ForkNode | ContractsNode) => Promise<void>;
  'forklens.removeContract': (node: ContractNode) => Promise<void>;
  'forklens.copyContractAddress': (node: ContractNode) => Promise<void>;
  /** Calls a function that changes nothing, and sends a transaction for others. */
  'forklens.useContractFunction': (node: FunctionNode) => Promise<void>;
  /** Opens a book on a fork or chain. */
  'forklens.newNotebook': () => Promise<void>;
  /** The following two act on the active book. */
  'forklens.bindNotebook': () => Promise<void>;
  'forklens.exportNotebook': () => Promise<void>;
  'forklens.findInProjects': () => Promise<void>;
  'forklens.openWalkthrough': () => Promise<void>;
  'forklens.analyzeSandboxTransaction': () => Promise<void>;
  'forklens.runDoctor': () => Promise<void>;
  /** @param version such as 0.8.19 */
  'forklens.installCompiler': (version?: string) => Promise<void>;
  'forklens.addEndpoint': () => Promise<void>;
  'forklens.manageEndpoints': () => Promise<void>;
  'forklens.nameAddress': (address?: string) => Promise<void>;
  'forklens.renameLabel': (label: Label) => Promise<void>;
  'forklens.deleteLabel': (label: Label) => Promise<void>;
  'forklens.copyLabelAddress': (label: Label) => Promise<void>;
  'forklens.refreshLabels': () => Promise<void>;
  'forklens.copyTransactionHash': (node: TransactionNode | TransactionTarget) => Promise<void>;
  'forklens.loadMoreTransactions': (node: LoadMoreNode) => Promise<void>;
  /** Shows what is known of an address; asks for the chain or fork if none is given. */
  'forklens.showAddress': (target: { address: string; chain?: string }) => Promise<void>;
  'forklens.loadMoreOfAddress': (target: { address: string; chain: string }) => Promise<void>;
  /** Finds the transaction after which a value changed. Also run by an inspector and by a page of an address. */
  'forklens.whenDidThisChange': (target?: ChangeTarget) => Promise<void>;
  /** Executes a block of the view of chains with transactions left out or moved. */
  'forklens.whatWouldHaveHappened': (item: { node: BlockTarget }) => Promise<void>;
  /** Shows an address of a transaction in the view of chains. */
  'forklens.showParties': (item: { node: ChainsNode }) => Promise<void>;
  'forklens.refreshChains': () => Promise<void>;
  'forklens.loadMoreOfChain': (item: { node: ChainsNode }) => Promise<void>;
  /** Watches an address or event on a chain or fork; asks for what is not given. */
  'forklens.watchAddress': (item?: WatchableItem) => Promise<void>;
  'forklens.watchEvent': (item?: WatchableItem) => Promise<void>;
  'forklens.stopWatching': (item?: WatchItem) => Promise<void>;
  'forklens.openRecent': (item: { entry: RecentEntry }) => Promise<void>;
  'forklens.pinRecent': (item: { entry: RecentEntry }) => Promise<void>;
  'forklens.unpinRecent': (item: { entry: RecentEntry }) => Promise<void>;
  'forklens.removeRecent': (item: { entry: RecentEntry }) => Promise<void>;
  'forklens.clearRecent': () => Promise<void>;
  'forklens.startService': () => Promise<void>;
  'forklens.restartService': () => Promise<void>;
  'forklens.stopService': () => Promise<void>;
  'forklens.showServiceActions': () => Promise<void>;
  'forklens.copyServiceUrl': () => Promise<void>;
  'forklens.openSettings': () => Promise<void>;
  'forklens.showLog': () => Promise<void>;
  'forklens.refresh': (node?: TreeNode) => Promise<void>;
}

export type CommandId = keyof Commands;

/** What can be watched: of a view, or of a link. */
export type WatchableItem =
  ForkNode | ContractNode | { node: ChainsNode } | { address: string; chain?: string };

/** A watch in the view of chains. */
export interface WatchItem {
  node: WatchNode;
}
