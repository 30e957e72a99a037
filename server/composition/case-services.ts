import { access, constants } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SignatureSource } from '../contracts/abi/sources';
import type { ChainRegistry } from '../chains/registry/chain-registry';
import type { Chain } from '../api/config';
import { invalidField, systemLimit, type ApiError } from '../api/errors';
import type { Log } from '../contracts/abi/sources';
import { keptLookups } from '../cases/known/kept-lookups';
import type { Lookups } from '../cases/known/lookups';
import { OpenCases } from '../cases/open-cases';
import { recordCase } from '../cases/record-case';
import { encodeCase } from '../cases/case-file';
import { replaceFile } from '../kernel/files/replace-file';
import type { ExecuteBlock } from '../cases/proof/execute-block';
import type { RpcReceipt } from '../evm/forms/types';
import { requireExecuted } from '../evm/rules/block-rules';
import { VERSION } from './startup/version';
import { executor } from './trace-services';
import type { AnalysisParts } from './analysis-parts';
import { composeAnalysis, type AnalysisServices, type ChainAnalysis } from './analysis-services';
import { routedByChain } from './by-chain';
import type { OwnClients } from './own-clients';
import { exerciseCase } from './exercise-case';
import { CaseService } from '../cases/case-service';

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
  const compose = (lookups: Lookups): ChainAnalysis =>
    composeAnalysis({ ...parts, sandbox: undefined, lookups, ...NOT_KEPT });
  const open = new OpenCases<ChainAnalysis>({
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
    },
    compose: (known, id, slug, client) => {
      clients.set(slug, client);
      return compose(keptLookups(known, id, own.lookups, inProgram));
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
  const record = recorder(options, compose);
  return {
    cases: new CaseService(open, record, executeOn(parts)),
    routed,
    restore: () => open.restore(),
    close: () => open.stop(),
  };
}

/** The second executor: a thread that executes blocks in process. */
const executeOn =
  ({ rules }: Pick<AnalysisParts, 'rules'>) =>
  (chain: Chain): ExecuteBlock =>
  async (rpc, block, count, signal) => {
    const { chainId } = chain;
    const found = requireExecuted(await rules.of({ ...chain, key: chain.slug, rpc }, block));
    const { hardfork, later = hardfork, blobFraction } = found;
    const blobs = blobFraction === undefined ? {} : { blobFraction };
    const place = { rpc, chainId, hardfork: later, ...blobs, header: block };
    const open = await executor.open(place, signal);
    try {
      const receipts: RpcReceipt[] = [];
      for (const transaction of block.transactions.slice(0, count)) {
        receipts.push(await open.execute(transaction));
      }
      return receipts;
    } finally {
      open.close();
    }
  };

const unwritable = (file: string): ApiError =>
  invalidField(
    'file',
    file,
    'a path in a folder of the machine of the service that can be written',
  );

/** Writes what is read about a transaction into a file. */
function recorder(
  { chains, clients, parts, own, inProgram }: CaseServicesOptions,
  compose: (lookups: Lookups) => ChainAnalysis,
): ConstructorParameters<typeof CaseService>[1] {
  return async ({ chain: slug, transaction, file, prove, user }, options) => {
    const chain: Chain = chains.bySlug(slug);
    await access(dirname(file), constants.W_OK).catch(() => {
      throw unwritable(file);
    });
    const labels = chain.slug === parts.sandbox?.chain.slug ? parts.sandbox.labels : {};
    const lookups = { ...own.lookups, labels: { ...labels, ...own.lookups.labels } };
    const content = await recordCase(
      {
        chain,
        upstream: parts.upstreamOf(chain),
        lookups,
        inProgram: new Set(inProgram.keys()),
        named: new Set(Object.keys(labels)),
        writtenBy: VERSION,
        execute: executeOn(parts),
        exercise: async (recorded, client, recordedLookups, subject, mined) => {
          chains.addChain(recorded, { isListed: false });
          clients.set(recorded.slug, client);
          const services = compose(recordedLookups);
          try {
            const { forks } = parts;
            const exercise = {
              services,
              forks,
              chain: recorded,
              subject,
              transaction: mined,
              user,
            };
            await exerciseCase(exercise, options);
          } finally {
            await services.closeEngines();
            chains.removeChain(recorded.slug);
            clients.delete(recorded.slug);
          }
        },
      },
      { transaction, prove },
      options,
    );
    const { bytes, id } = await encodeCase(content);
    await replaceFile(file, bytes).catch((error: unknown) => {
      throw systemLimit(error) ?? unwritable(file);
    });
    return {
      id,
      subject: content.subject,
      hasProof: content.proof !== undefined,
      bytes: bytes.length,
    };
  };
}
