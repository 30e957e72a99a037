import type { Account } from '../../server/api/account';
import type { Fork, ForkTransaction } from '../../server/api/fork';
import type { Project, ProjectDetail } from '../../server/api/project';

export interface ProjectNode {
  kind: 'project';
  project: Project;
  /** undefined where the detail could not be had: the project shows without its figures. */
  detail: ProjectDetail | undefined;
  expanded: boolean;
}

export interface ForkNode {
  kind: 'fork';
  parent: ProjectNode;
  fork: Fork;
}

export interface TransactionNode {
  kind: 'transaction';
  parent: ForkNode;
  transaction: ForkTransaction;
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

/** Stands in for children that could not be loaded; a click tries again. */
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
}

export type TreeNode =
  ProjectNode | ForkNode | TransactionNode | LoadMoreNode | EmptyNode | ErrorNode | AccountNode;
