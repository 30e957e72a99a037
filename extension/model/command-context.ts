import type * as vscode from 'vscode';
import type { SideId, Simulation, Source } from '../../media/inspector/protocol/protocol';
import type { ApiClient } from './api-client';
import type { Service } from './service';
import type { OpenedTransaction, TransactionTarget } from './targets';
import type { LoadMoreNode, TreeNode } from './tree-node';

/** Dependencies of the commands. */
export interface CommandContext {
  client: ApiClient;
  service: Service;
  tree: TreeActions;
  inspector: Inspectors;
  comparisons: {
    open(sources: Readonly<Record<SideId, Source>>): void;
    /** The sides of the panel that the user looks at. */
    active(): Readonly<Record<SideId, Source>> | undefined;
  };
  log: vscode.LogOutputChannel;
  /** Stores the last choices in this workspace. */
  memento: vscode.Memento;
}

/** The tree of projects. */
interface TreeActions {
  /** Loads a node again, or everything, whatever is known. */
  refresh(node?: TreeNode): void;
  /** Loads what may have changed. */
  reload(): void;
  /** Shows more transactions of a fork. */
  loadMore(node: LoadMoreNode, signal?: AbortSignal): Promise<void>;
}

/** The panels that show analyses. */
interface Inspectors {
  open(target: OpenedTransaction): Promise<void>;
  openSimulation(simulation: Simulation): void;
  /** What the open panels show, with the titles of their tabs. */
  shown(): { source: Source; title: string }[];
  /** The transaction of the panel that the user looks at: commands without an argument start from it. */
  active(): TransactionTarget | undefined;
  /** As `active`, also of a simulation. */
  activeSource(): Source | undefined;
}
