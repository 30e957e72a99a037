import type { Account } from '../../server/api/account';
import type { ForkChange } from '../../server/api/changes';
import type { Fork, ForkTransaction } from '../../server/api/fork';
import type { Progress } from '../../server/api/progress';
import type { Project, ProjectDetail } from '../../server/api/project';
import type { Quota } from '../../server/api/quota';
import type { Snapshot } from '../../server/api/snapshot';
import type { ContractFunction, ForkContract } from './fork-contract';

export interface ProjectNode {
  kind: 'project';
  project: Project;
  /** undefined if the detail could not be loaded: the project is then shown without its figures. */
  detail: ProjectDetail | undefined;
  expanded: boolean;
}

export interface ForkNode {
  kind: 'fork';
  parent: ProjectNode;
  fork: Fork;
  /** Set while its engine starts. */
  progress: Progress | undefined;
}

/** A fork that is not in the project's list yet. */
export interface NewForkNode {
  kind: 'newFork';
  parent: ProjectNode;
  fork: Extract<ForkChange, { type: 'fork' }>;
}

export interface TransactionNode {
  kind: 'transaction';
  parent: ForkNode;
  transaction: ForkTransaction;
  /** Name of the contract that the transaction created; undefined where unknown. */
  created?: string | undefined;
}

/** The contracts of a fork that are known by name. */
export interface ContractsNode {
  kind: 'contracts';
  parent: ForkNode;
  contracts: readonly ForkContract[];
}

export interface ContractNode {
  kind: 'contract';
  parent: ContractsNode;
  contract: ForkContract;
}

export interface FunctionNode {
  kind: 'function';
  parent: ContractNode;
  function: ContractFunction;
}

export interface SnapshotsNode {
  kind: 'snapshots';
  parent: ForkNode;
  snapshots: readonly Snapshot[];
}

export interface SnapshotNode {
  kind: 'snapshot';
  parent: SnapshotsNode;
  snapshot: Snapshot;
}

export interface LoadMoreNode {
  kind: 'loadMore';
  parent: ForkNode;
  remaining: number;
}

export interface EmptyNode {
  kind: 'empty';
  parent: ProjectNode | ForkNode;
}

/** Replaces children that could not be loaded; a click tries again. */
export interface ErrorNode {
  kind: 'error';
  parent: ProjectNode | ForkNode | undefined;
  message: string;
}

export interface AccountNode {
  kind: 'account';
  account: Account;
  /** Base URL of the service. */
  serviceUrl: string;
  remote: boolean;
  /** Undefined: the service did not answer it. */
  quota: Quota | undefined;
  /** Number of shown projects by the user's role in them. */
  roles: Readonly<Record<ProjectDetail['role'], number>>;
}

export type TreeNode =
  | ProjectNode
  | ForkNode
  | NewForkNode
  | TransactionNode
  | SnapshotsNode
  | SnapshotNode
  | ContractsNode
  | ContractNode
  | FunctionNode
  | LoadMoreNode
  | EmptyNode
  | ErrorNode
  | AccountNode;
