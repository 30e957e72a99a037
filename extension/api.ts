import type { ApiClient } from './client/api-client';
import type { Disposable } from './emitter';
import type { ServiceState } from './server-process/service';
import type { SessionState } from './session';
import type { NodeView } from './views/view';
import type { TreeNode } from './views/tree-node';

/** API that `activate` returns to tests inside an extension host. Other extensions get nothing, because the API acts as the user. */
export interface TestApi {
  /** Duration of `activate`, in milliseconds. */
  activationMs: number;
  serviceState(): ServiceState;
  onDidChangeServiceState: (listener: (state: ServiceState) => void) => Disposable;
  sessionState(): SessionState;
  client: ApiClient;
  children(node?: TreeNode): Promise<TreeNode[]>;
  view(node: TreeNode): NodeView;
}
