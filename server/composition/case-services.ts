import { join } from 'node:path';
import type { ChainRegistry } from '../chains/registry/chain-registry';
import { CaseService } from '../cases/case-service';
import { refusal } from '../cases/container/container-head';
import { blockOf } from '../cases/case-subject';
import { keptLookups } from '../cases/known/kept-lookups';
import { OpenCases } from '../cases/open-cases';
import type { Log, SignatureSource } from '../contracts/abi/sources';
import type { AnalysisParts } from './analysis-parts';
import { composeAnalysis, type AnalysisServices, type ChainAnalysis } from './analysis-services';
import { routedByChain } from './by-chain';
import { executeOn } from './case-execution';
import { caseRecorder, type Compose } from './case-recorder';
import type { OwnClients } from './own-clients';

/** Traces and recordings are not kept on disk: they are made from the file again. */
const NOT_KEPT: Pick<AnalysisParts, 'traceFiles' | 'recordingFiles' | 'simulatedElsewhere'> = {
  traceFiles: { read: () => Promise.resolve(undefined), write: () => undefined },
  recordingFiles: undefined,
  simulatedElsewhere: undefined,
};

export interface CaseServicesOptions {
  readonly dataDir: string;
  readonly chains: ChainRegistry;
  readonly clients: OwnClients;
  /** As given to `createAnalysis`. */
  readonly parts: Omit<AnalysisParts, 'lookups' | 'traceFiles' | 'recordingFiles'>;
  readonly own: AnalysisServices;
  readonly inProgram: ReadonlyMap<number, SignatureSource>;
  readonly log: Log;
}

/** The open cases, and the operations on all chains, those of the cases as well. */
export interface CaseServices {
  readonly cases: CaseService;
  readonly routed: AnalysisServices;
  /** Opens the cases that were open before. */
  readonly restore: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export function createCases(options: CaseServicesOptions): CaseServices {
  const { dataDir, chains, clients, parts, own, inProgram, log } = options;
  const compose: Compose = (lookups, subject, place) => {
    const { number, position } = blockOf(subject);
    return composeAnalysis({
      ...parts,
      sandbox: undefined,
      lookups,
      unoptimized: own.unoptimized,
      hasForkBlocks: subject.chain.isFork === true,
      held: { ...place, number: Number(number), position },
      ...NOT_KEPT,
    });
  };
  const open: OpenCases<ChainAnalysis> = new OpenCases<ChainAnalysis>({
    folder: join(dataDir, 'cases'),
    chains: {
      addChain: (chain) => {
        chains.addChain(chain);
      },
      removeChain: (slug) => {
        chains.removeChain(slug);
        clients.delete(slug);
      },
      explorerOf: (chainId) =>
        chains.list().find((chain) => chain.chainId === chainId)?.blockExplorerUrl,
      nodeOf: ({ chain: { slug, chainId } }) => {
        const same = chains.list().filter((chain) => chain.chainId === chainId);
        const others = same.filter((chain) => open.get(chain.slug) === undefined);
        const found = others.find((chain) => chain.slug === slug) ?? others[0];
        if (!found) throw refusal(`no chain with its id ${chainId} is configured to read from`);
        return parts.upstreamOf(chains.bySlug(found.slug));
      },
    },
    compose: ({ slug, subject, client }, id, known) => {
      clients.set(slug, client);
      const isOnline = (): boolean => open.get(slug)?.isOnline === true;
      const kept = keptLookups(known, id, own.lookups, inProgram);
      return compose(kept, subject, { chain: slug, isOnline });
    },
    close: ({ closeEngines }) => closeEngines(),
    log,
  });
  const chainNameOf = async (name: string): Promise<string> =>
    chains.has(name) ? name : (await parts.forks.networkOf(name)).chain.slug;
  const routed = routedByChain(own, async (name) => {
    if (open.list().length === 0) return undefined;
    return open.get(await chainNameOf(name))?.services;
  });
  const record = caseRecorder(options, compose);
  return {
    cases: new CaseService(open, record, executeOn(parts)),
    routed,
    restore: () => open.restore(),
    close: () => open.stop(),
  };
}
