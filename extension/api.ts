import type { ApiClient } from './client/api-client';
import type { Disposable } from './emitter';
import type { ServiceState } from './server-process/service';
import type { SessionState } from './session';
import type { NodeView } from './views/view';
import type { TreeNode } from './views/tree-node';

/** What `activate` returns to the tests inside an extension host; other extensions get nothing, as it acts for the user. */
export interface TestApi {
  /** How long `activate` took, in milliseconds. */
  activationMs: number;
  serviceState(): ServiceState;
  onDidChangeServiceState: (listener: (state: ServiceState) => void) => Disposable;
  sessionState(): SessionState;
  client: ApiClient;
  children(node?: TreeNode): Promise<TreeNode[]>;
  view(node: TreeNode): NodeView;
}
