import type { ApiClient } from './model/api-client';
import type { Disposable } from './editor/emitter';
import type { ServiceState } from './model/service';
import type { SessionState } from './account/session';
import type { NodeDisplay } from './model/node-display';
import type { TreeNode } from './model/tree-node';

/** API that `activate` returns to tests inside an extension host. Other extensions get nothing, because the API acts as the user. */
export interface TestApi {
  /** Duration of `activate`, in milliseconds. */
  activationMs: number;
  serviceState(): ServiceState;
  onDidChangeServiceState: (listener: (state: ServiceState) => void) => Disposable;
  sessionState(): SessionState;
  client: ApiClient;
  children(node?: TreeNode): Promise<TreeNode[]>;
  view(node: TreeNode): NodeDisplay;
}
