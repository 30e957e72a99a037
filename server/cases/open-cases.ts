import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CaseShown } from '../api/case-content';
import type { Chain } from '../api/config';
import { ApiError } from '../api/errors';
import { LIMITS } from '../api/limits';
import { neverAborted } from '../kernel/async/never-aborted';
import type { RpcClient } from '../evm/forms/json-rpc';
import { replaceFile } from '../kernel/files/replace-file';
import type { KeptAnswers } from '../chains/upstream/kept-answers';
import { KeptClient } from '../chains/upstream/kept-client';
import { AddedAnswers } from './added-answers';
import { partLetter, readCase, type CaseFile, type CasePart } from './case-file';
import { blockOf, chainOf, type CaseSubject } from './case-subject';
import { refusal } from './container/container-head';
import type { Known } from './known/known-schema';
import { OnlineReads } from './online-reads';

/** A chain or fork of an open case, as a chain. */
export interface OpenPart<Services> {
  /** Names it as a chain. */
  readonly slug: string;
  readonly subject: CaseSubject;
  readonly client: RpcClient;
  readonly services: Services;
  /** Whether a node of the chain is asked for what the file lacks. */
  readonly isOnline: boolean;
}

/** An open case. */
export interface OpenCase {
  /** SHA-256 that names the file. */
  readonly id: string;
  /** At least one. */
  readonly parts: readonly Pick<OpenPart<unknown>, 'slug' | 'subject'>[];
  readonly shown: CaseShown | undefined;
  readonly hasProof: boolean;
  /** Whether a node of the chain is asked for what the file lacks. */
  readonly isOnline: boolean;
}

export interface OpenCasesPorts<Services> {
  /** Where copies of the open files are kept, so that they are open after the next start. */
  readonly folder: string;
  readonly chains: {
    addChain(chain: Chain): void;
    removeChain(slug: string): void;
    /** URL of the page of a chain's explorer, as this service knows it. */
    explorerOf(chainId: number): string | undefined;
    /** Node of the chain that a case is about. @throws ApiError `caseRefused` if no such chain is configured */
    nodeOf(subject: CaseSubject): RpcClient;
  };
  /** Composes the operations on the chain of a case. */
  readonly compose: (
    open: Pick<OpenPart<Services>, 'slug' | 'subject' | 'client'>,
    /** SHA-256 of the file. */
    id: string,
    known: Known,
  ) => Services;
  readonly close: (services: Services) => Promise<void>;
  readonly log: { warn(facts: object, message: string): void };
}

/** Digits of the hash in the name of the chain: as many as make two names equal in none of the open cases. */
const SLUG_DIGITS = 12;
const EXTENSION = '.forklens';

/** Case files that are open: each is a chain of its own, which answers from the file alone. */
export class OpenCases<Services> {
  readonly #open = new Map<string, Opened<Services>>();

  constructor(private readonly ports: OpenCasesPorts<Services>) {}

  /** Opens the files that were open when the service stopped. One that is damaged stays closed. */
  async restore(): Promise<void> {
    const { folder, log } = this.ports;
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((one) => one.endsWith(EXTENSION)).slice(0, LIMITS.casesOpen)) {
      try {
        await this.#add(await readCase(join(folder, name), neverAborted()));
      } catch (error) {
        log.warn({ err: error, file: name }, 'an open case is not opened again');
      }
    }
  }

  /**
   * Opens a case file. Starts no process, and sends nothing unless it is opened online.
   * @param isOnline whether a node of the chain is asked for what the file lacks. Replaces what an earlier opening said
   * @throws ApiError `caseRefused`, errors of the node
   */
  async open(path: string, isOnline: boolean, signal: AbortSignal): Promise<OpenCase> {
    const file = await readCase(path, signal);
    const open = this.#open.get(slugOf(file.id)) ?? (await this.#copy(file, path));
    const reads = isOnline
      ? await Promise.all(open.parts.map((part) => this.#readsOf(part, signal)))
      : [];
    for (const [index, part] of open.parts.entries()) part.reads = reads[index];
    return open;
  }

  async #copy(file: CaseFile, path: string): Promise<Opened<Services>> {
    if (this.#open.size >= LIMITS.casesOpen) {
      throw refusal(`${LIMITS.casesOpen} cases are open; close one`);
    }
    const { folder } = this.ports;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await replaceFile(this.#pathOf(slugOf(file.id)), await readFile(path), { mode: 0o600 });
    return this.#add(file);
  }

  /** Oldest first. */
  list(): readonly OpenCase[] {
    return [...this.#open.values()];
  }

  /** The chain of an open case that has this name. */
  get(slug: string): OpenPart<Services> | undefined {
    for (const { parts } of this.#open.values()) {
      const found = parts.find((part) => part.slug === slug);
      if (found) return found;
    }
    return undefined;
  }

  /** @throws ApiError `caseNotFound` */
  async close(slug: string): Promise<void> {
    const open = [...this.#open.values()].find(({ parts }) =>
      parts.some((part) => part.slug === slug),
    );
    if (!open) {
      const known = [...this.#open.keys()].join(', ') || 'none is open';
      throw new ApiError('caseNotFound', `no open case is named ${slug}; open: ${known}`);
    }
    const first = slugOf(open.id);
    this.#open.delete(first);
    for (const part of open.parts) {
      this.ports.chains.removeChain(part.slug);
      await this.ports.close(part.services);
      await part.added.remove();
    }
    await rm(this.#pathOf(first), { force: true });
  }

  /** Ends what the operations of the open cases keep running. The files stay open for the next start. */
  async stop(): Promise<void> {
    const parts = [...this.#open.values()].flatMap((open) => open.parts);
    await Promise.all(parts.map(({ services }) => this.ports.close(services)));
  }

  async #add({ id, parts, shown }: CaseFile): Promise<Opened<Services>> {
    const opened: OpenedPart<Services>[] = [];
    for (const [index, part] of parts.entries()) {
      opened.push(await this.#addPart(id, index, part));
    }
    const hasProof = parts.some(({ proof }) => proof !== undefined);
    const open = new Opened(id, opened, shown, hasProof);
    for (const { slug, subject } of opened) {
      const { chains } = this.ports;
      chains.addChain(chainOf(subject, slug, chains.explorerOf(subject.chain.chainId)));
    }
    this.#open.set(slugOf(id), open);
    return open;
  }

  async #addPart(
    id: string,
    index: number,
    { subject, answers, known }: CasePart,
  ): Promise<OpenedPart<Services>> {
    const { compose, folder } = this.ports;
    const slug = index === 0 ? slugOf(id) : `${slugOf(id)}-${partLetter(index)}`;
    const added = new AddedAnswers(join(folder, `${slug}.jsonl`));
    for (const answer of await added.read()) answers.add(answer);
    return new OpenedPart<Services>(slug, subject, answers, added, (client) =>
      compose({ slug, subject, client }, id, known),
    );
  }

  /** @throws ApiError `caseRefused` if the chain has another block in place of the case's */
  async #readsOf(part: OpenedPart<Services>, signal: AbortSignal): Promise<OnlineReads> {
    const { subject, answers, added } = part;
    const { number, hash } = blockOf(subject);
    if (subject.chain.isFork) {
      throw refusal('it is about a fork, which no node has: it opens offline only');
    }
    const node = this.ports.chains.nodeOf(subject);
    const found = await node.request('eth_getBlockByNumber', [number, false], { signal });
    const block = found as { hash?: unknown } | null;
    if (block?.hash !== hash) {
      const other = typeof block?.hash === 'string' ? block.hash : 'no block';
      throw refusal(`at ${number} it has block ${hash}, and the node of its chain has ${other}`);
    }
    const head = answers.get({ method: 'eth_blockNumber', params: [] });
    const newest = head && 'result' in head ? (head.result as string) : number;
    return new OnlineReads(node, answers, newest, (answer) => added.add(answer));
  }

  #pathOf(slug: string): string {
    return join(this.ports.folder, `${slug}${EXTENSION}`);
  }
}

/** A chain of a case with what reads what it lacks. */
class OpenedPart<Services> implements OpenPart<Services> {
  reads: OnlineReads | undefined;
  readonly client: RpcClient;
  readonly services: Services;

  constructor(
    readonly slug: string,
    readonly subject: CaseSubject,
    readonly answers: KeptAnswers,
    readonly added: AddedAnswers,
    compose: (client: RpcClient) => Services,
  ) {
    this.client = new KeptClient(answers, 'the case file', () => {
      const { reads } = this;
      return reads?.read.bind(reads);
    });
    this.services = compose(this.client);
  }

  get isOnline(): boolean {
    return this.reads !== undefined;
  }
}

class Opened<Services> implements OpenCase {
  constructor(
    readonly id: string,
    readonly parts: readonly OpenedPart<Services>[],
    readonly shown: CaseShown | undefined,
    readonly hasProof: boolean,
  ) {}

  get isOnline(): boolean {
    return this.parts.some(({ reads }) => reads !== undefined);
  }
}

const slugOf = (id: string): string => `case-${id.slice(0, SLUG_DIGITS)}`;
