import type * as vscode from 'vscode';
import type { ApiClient } from '../model/api-client';
import { Emitter } from '../editor/emitter';
import type { Log } from '../editor/log';
import type { ForkContract, FunctionAnswer } from '../model/fork-contract';
import type { ForkContracts } from '../model/fork-contracts';
import type { ContractNode, ForkNode, FunctionNode } from '../model/tree-node';

const KEY = 'forklens.contracts';
/** The oldest are forgotten first. */
const MAX_FORKS = 50;
const MAX_CONTRACTS = 100;

type Stored = Record<string, readonly ForkContract[]>;

/** The contracts of forks that this workspace knows by name, kept over restarts, and the last answers of their functions. */
export class ContractBook implements ForkContracts {
  readonly #client: ApiClient;
  readonly #memento: vscode.Memento;
  readonly #log: Log;
  readonly #changes = new Emitter<string>();
  readonly onDidChange = this.#changes.event;
  /** By fork, address and signature. */
  readonly #answers = new Map<string, FunctionAnswer>();
  /** Creations whose contracts were looked for. */
  readonly #looked = new Set<string>();

  constructor(client: ApiClient, memento: vscode.Memento, log: Log) {
    this.#client = client;
    this.#memento = memento;
    this.#log = log;
  }

  of(forkId: string): readonly ForkContract[] {
    return this.#stored()[forkId] ?? [];
  }

  /** Adds a contract, or replaces what was known about its address. Keeps what calls need of its ABI. */
  async put(forkId: string, contract: ForkContract): Promise<void> {
    const others = this.of(forkId).filter(({ address }) => address !== contract.address);
    const abi = contract.abi.filter(({ type }) => type === 'function' || type === 'error');
    await this.#store(forkId, [...others, { ...contract, abi }].slice(-MAX_CONTRACTS));
  }

  async remove(forkId: string, address: string): Promise<void> {
    await this.#store(
      forkId,
      this.of(forkId).filter((one) => one.address !== address),
    );
  }

  setAnswer(node: FunctionNode, answer: FunctionAnswer): void {
    const { fork } = node.parent.parent.parent;
    this.#answers.set(answerKey(node.parent, node.function.signature), answer);
    this.#changes.fire(fork.forkId);
  }

  async functionsOf(node: ContractNode): Promise<FunctionNode[]> {
    const { functionNodes } = await import('./contracts-bundle');
    return functionNodes(node, {
      get: (signature) => this.#answers.get(answerKey(node, signature)),
      set: (signature, answer) => this.#answers.set(answerKey(node, signature), answer),
    });
  }

  recognise(node: ForkNode, creations: readonly { hash: string }[]): void {
    const { fork } = node;
    const known = new Set(this.of(fork.forkId).map(({ transaction }) => transaction));
    const open = creations.filter(
      ({ hash }) => !known.has(hash) && !this.#looked.has(`${fork.forkId} ${hash}`),
    );
    // A request would wake a fork that sleeps.
    if (open.length === 0 || fork.state !== 'running') return;
    for (const { hash } of open) this.#looked.add(`${fork.forkId} ${hash}`);
    this.#recognise(node, open).catch((error: unknown) => {
      for (const { hash } of open) this.#looked.delete(`${fork.forkId} ${hash}`);
      this.#log.warn(`contracts: ${error instanceof Error ? error.message : String(error)}`);
    });
  }

  async #recognise({ fork }: ForkNode, creations: readonly { hash: string }[]): Promise<void> {
    const { createdContract } = await import('./contracts-bundle');
    for (const { hash } of creations) {
      const contract = await createdContract(this.#client, fork, hash);
      if (contract === undefined) continue;
      // The user may have deployed it at this moment.
      if (this.of(fork.forkId).some(({ address }) => address === contract.address)) continue;
      await this.put(fork.forkId, contract);
    }
  }

  #stored(): Stored {
    return this.#memento.get<Stored>(KEY, {});
  }

  async #store(forkId: string, contracts: readonly ForkContract[]): Promise<void> {
    const others = Object.entries(this.#stored()).filter(([id]) => id !== forkId);
    const forks = [...others, [forkId, contracts] as const].slice(-MAX_FORKS);
    await this.#memento.update(KEY, Object.fromEntries(forks));
    this.#changes.fire(forkId);
  }
}

const answerKey = ({ parent, contract }: ContractNode, signature: string): string =>
  `${parent.parent.fork.forkId} ${contract.address} ${signature}`;
