import type { Event } from '../editor/emitter';
import type { ForkContract } from './fork-contract';
import type { ContractNode, ForkNode, FunctionNode } from './tree-node';

/** The contracts of forks, as far as the user or the build output names them. */
export interface ForkContracts {
  /** Fires with the id of a fork whose contracts or answers changed. */
  readonly onDidChange: Event<string>;
  of(forkId: string): readonly ForkContract[];
  /** The functions of a contract. Those without arguments are called for their values while the fork runs. */
  functionsOf(node: ContractNode): Promise<FunctionNode[]>;
  /** Looks for contracts of the workspace among those that transactions of a running fork created, without waiting for the end. */
  recognise(fork: ForkNode, creations: readonly { hash: string }[]): void;
}
