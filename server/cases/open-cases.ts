import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chain } from '../api/config';
import { ApiError } from '../api/errors';
import { LIMITS } from '../api/limits';
import { neverAborted } from '../kernel/async/never-aborted';
import type { RpcClient } from '../evm/forms/json-rpc';
import { replaceFile } from '../kernel/files/replace-file';
import { KeptClient } from '../chains/upstream/kept-client';
import { chainOf, readCase, type CaseFile, type CaseSubject } from './case-file';
import { refusal } from './container/container-head';
import type { Known } from './known/known-schema';

/** An open case, as a chain. */
export interface OpenCase<Services> {
  /** Names it as a chain. */
  readonly slug: string;
  /** SHA-256 that names the file. */
  readonly id: string;
  readonly subject: CaseSubject;
  readonly hasProof: boolean;
  readonly client: RpcClient;
  readonly services: Services;
}

export interface OpenCasesPorts<Services> {
  /** Where copies of the open files are kept, so that they are open after the next start. */
  readonly folder: string;
  readonly chains: {
    addChain(chain: Chain): void;
    removeChain(slug: string): void;
    /** URL of the page of a chain's explorer, as this service knows it. */
    explorerOf(chainId: number): string | undefined;
  };
  /** Composes the operations on the chain of a case. */
  readonly compose: (
    open: Pick<OpenCase<Services>, 'slug' | 'id' | 'subject' | 'client'>,
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
  readonly #open = new Map<string, OpenCase<Services>>();

  constructor(private readonly ports: OpenCasesPorts<Services>) {}

  /** Opens the files that were open when the service stopped. One that is damaged stays closed. */
  async restore(): Promise<void> {
    const { folder, log } = this.ports;
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((one) => one.endsWith(EXTENSION)).slice(0, LIMITS.casesOpen)) {
      try {
        this.#add(await readCase(join(folder, name), neverAborted()));
      } catch (error) {
        log.warn({ err: error, file: name }, 'an open case is not opened again');
      }
    }
  }

  /**
   * Opens a case file. Starts no process and sends nothing.
   * @throws ApiError `caseRefused`
   */
  async open(path: string, signal: AbortSignal): Promise<OpenCase<Services>> {
    const file = await readCase(path, signal);
    const known = this.#open.get(slugOf(file.id));
    if (known) return known;
    if (this.#open.size >= LIMITS.casesOpen) {
      throw refusal(`${LIMITS.casesOpen} cases are open; close one`);
    }
    const { folder } = this.ports;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await replaceFile(this.#pathOf(slugOf(file.id)), await readFile(path), { mode: 0o600 });
    return this.#add(file);
  }

  /** Oldest first. */
  list(): readonly OpenCase<Services>[] {
    return [...this.#open.values()];
  }

  get(slug: string): OpenCase<Services> | undefined {
    return this.#open.get(slug);
  }

  /** @throws ApiError `caseNotFound` */
  async close(slug: string): Promise<void> {
    const open = this.#open.get(slug);
    if (!open) {
      const known = [...this.#open.keys()].join(', ') || 'none is open';
      throw new ApiError('caseNotFound', `no open case is named ${slug}; open: ${known}`);
    }
    this.#open.delete(slug);
    this.ports.chains.removeChain(slug);
    await this.ports.close(open.services);
    await rm(this.#pathOf(slug), { force: true });
  }

  /** Ends what the operations of the open cases keep running. The files stay open for the next start. */
  async stop(): Promise<void> {
    await Promise.all(this.list().map(({ services }) => this.ports.close(services)));
  }

  #add({ id, subject, answers, known, proof }: CaseFile): OpenCase<Services> {
    const { chains, compose } = this.ports;
    const slug = slugOf(id);
    const client = new KeptClient(answers, 'the case file');
    const services = compose({ slug, id, subject, client }, known);
    const hasProof = proof !== undefined;
    const open: OpenCase<Services> = { slug, id, subject, hasProof, client, services };
    chains.addChain(chainOf(subject, slug, chains.explorerOf(subject.chain.chainId)));
    this.#open.set(slug, open);
    return open;
  }

  #pathOf(slug: string): string {
    return join(this.ports.folder, `${slug}${EXTENSION}`);
  }
}

const slugOf = (id: string): string => `case-${id.slice(0, SLUG_DIGITS)}`;
