import type { WebviewPanel } from 'vscode';
import type { Source, WrittenPart } from '../../media/inspector/protocol/protocol';

/** A transaction of a chain (slug) or of a fork (id). */
export interface TransactionTarget {
  chain: string;
  transaction: string;
}

/** A transaction that an inspector shows. */
export interface OpenedTransaction extends TransactionTarget {
  /** Name of the method, where it is known already. */
  title?: string;
  /** Node of the invocation flow that is selected. */
  node?: number;
}

/** A function of a Solidity source that can be called from outside. */
export interface FunctionTarget {
  contract: string;
  name: string;
  /** Path of the source. */
  source: string;
}

/** A contract of a Solidity source. */
export interface ContractTarget {
  contract: string;
  /** Path of the source. */
  source: string;
}

/** A value of the state whose change is looked for. What is left out is asked for. */
export interface ChangeTarget {
  /** Slug of a chain, or id of a fork. */
  chain?: string;
  /** In Solidity, over the state. */
  expression?: string;
  /** Account whose parts are offered; its functions and variables need no name. */
  address?: string;
  /** Contract whose functions and variables need no name. */
  contract?: string;
  /** Number of the last block that is looked at. */
  to?: number;
}

/** A block of a chain (slug) or of a fork (id). */
export interface BlockTarget {
  chain: string;
  block: { number: number; hash: string };
}

/** A part of the state whose writers an inspector asks for. */
export interface StateWriterTarget {
  source: Source;
  part: WrittenPart;
  panel: WebviewPanel;
  /** Selects a node of the call tree. */
  showNode: (node: number) => void;
}
