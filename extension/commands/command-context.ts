import type * as vscode from 'vscode';
import type { ApiClient } from '../client/api-client';
import type { ComparePanels } from '../inspector/compare-panels';
import type { InspectorPanels } from '../inspector/inspector-panels';
import type { Service } from '../server-process/service';
import type { Session } from '../session';
import type { ProjectTree } from '../views/project-tree';

/** Dependencies of the commands. */
export interface CommandContext {
  client: ApiClient;
  service: Service;
  session: Session;
  tree: ProjectTree;
  inspector: Pick<InspectorPanels, 'open' | 'openSimulation' | 'shown'>;
  comparisons: Pick<ComparePanels, 'open'>;
  log: vscode.LogOutputChannel;
  /** Stores the last choices in this workspace. */
  memento: vscode.Memento;
}
