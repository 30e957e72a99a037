import type { CommandId } from './commands';

/** Actions that a node allows; the manifest's menus match these words in `viewItem`. */
export type NodeAction =
  | 'createFork'
  | 'delete'
  | 'copyId'
  | 'copyRpcUrl'
  | 'copyHash'
  | 'copyAddress'
  | 'analyze'
  | 'refresh'
  | 'use'
  | 'start'
  | 'retry'
  | 'revert'
  | 'account';

/** A node as the editor shows it, without the editor's types. */
export interface NodeDisplay {
  /** Stable across refreshes, so that expansion and selection stay. */
  id: string;
  label: string;
  description?: string;
  /** A codicon, with a theme colour if the colour has a meaning. */
  icon?: { id: string; color?: string };
  /** Markdown. */
  tooltip?: string;
  collapsed?: boolean;
  actions: readonly NodeAction[];
  /** Runs on a click, with the node as its argument. */
  command?: { id: CommandId; title: string };
  accessibilityLabel?: string;
}
