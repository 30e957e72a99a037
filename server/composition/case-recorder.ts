import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Chain } from '../api/config';
import { invalidField, systemLimit, type ApiError } from '../api/errors';
import type { Hash } from '../api/primitives';
import { encodeCase, type CaseSubject } from '../cases/case-file';
import type { CaseService } from '../cases/case-service';
import type { Lookups } from '../cases/known/lookups';
import { recordCase, type RecordingParts } from '../cases/record-case';
import type { RpcClient } from '../evm/forms/json-rpc';
import type { RpcTransaction } from '../evm/forms/types';
import type { HeldPlace } from '../history/held/held-block';
import { replaceFile } from '../kernel/files/replace-file';
import type { ChainAnalysis } from './analysis-services';
import { executeOn } from './case-execution';
import type { CaseServicesOptions } from './case-services';
import { exerciseCase } from './exercise-case';
import { VERSION } from './startup/version';

/** Composes the operations on the chain of a case. */
export type Compose = (
  lookups: Lookups,
  subject: CaseSubject,
  place: Pick<HeldPlace, 'chain' | 'isOnline'>,
) => ChainAnalysis;
type Record = ConstructorParameters<typeof CaseService>[1];

const unwritable = (file: string): ApiError =>
  invalidField(
    'file',
    file,
    'a path in a folder of the machine of the service that can be written',
  );

/** Writes what is read about a transaction into a file. */
export function caseRecorder(options: CaseServicesOptions, compose: Compose): Record {
  const { parts, own, inProgram } = options;
  return async ({ chain: name, transaction, file, prove, user }, limits) => {
    await access(dirname(file), constants.W_OK).catch(() => {
      throw unwritable(file);
    });
    const place = await placeOf(options, name, transaction, limits.signal);
    if (place.fork !== undefined && prove) {
      throw invalidField('prove', true, 'false: the state of a fork has no root to prove it with');
    }
    const { chain } = place;
    const labels = chain.slug === parts.sandbox?.chain.slug ? parts.sandbox.labels : {};
    const content = await recordCase(
      {
        ...place,
        lookups: { ...own.lookups, labels: { ...labels, ...own.lookups.labels } },
        inProgram: new Set(inProgram.keys()),
        named: new Set(Object.keys(labels)),
        writtenBy: VERSION,
        execute: executeOn(parts),
        exercise: exerciseOf(options, compose, user, limits),
      },
      { transaction, prove },
      limits,
    );
    const { bytes, id } = await encodeCase(content);
    await replaceFile(file, bytes).catch((error: unknown) => {
      throw systemLimit(error) ?? unwritable(file);
    });
    const { subject, proof } = content;
    return { id, subject, hasProof: proof !== undefined, bytes: bytes.length };
  };
}

/**
 * Finds the node of a transaction: for one that was made on a fork, the fork itself.
 * @throws ApiError `chainNotFound`, `forkNotFound`
 */
async function placeOf(
  { chains, parts }: CaseServicesOptions,
  name: string,
  transaction: Hash,
  signal: AbortSignal,
): Promise<{ chain: Chain; fork: string | undefined; upstream: RpcClient }> {
  if (!name.startsWith('fork_') || chains.has(name)) {
    const chain = chains.bySlug(name);
    return { chain, fork: undefined, upstream: parts.upstreamOf(chain) };
  }
  const { chain, engine, hardfork, originalHead } = await parts.forks.networkOf(name);
  const found = await engine.request('eth_getTransactionByHash', [transaction], { signal });
  const block = (found as RpcTransaction | null)?.blockNumber ?? undefined;
  // Transactions replayed into the fork's first block are those of the chain.
  if (block !== undefined && Number(block) <= originalHead) {
    return { chain, fork: undefined, upstream: parts.upstreamOf(chain) };
  }
  return { chain: { ...chain, hardfork }, fork: name, upstream: engine };
}

/** Does with the transaction what readers will do, on a chain that only the recording knows. */
const exerciseOf =
  (
    { chains, clients, parts: { forks } }: CaseServicesOptions,
    compose: Compose,
    user: string,
    limits: Parameters<Record>[1],
  ): RecordingParts['exercise'] =>
  async (chain, client, lookups, subject, transaction) => {
    chains.addChain(chain, { isListed: false });
    clients.set(chain.slug, client);
    const place = { chain: chain.slug, isOnline: () => false };
    const services = compose(lookups, subject, place);
    try {
      await exerciseCase({ services, forks, chain, subject, transaction, user }, limits);
    } finally {
      await services.closeEngines();
      chains.removeChain(chain.slug);
      clients.delete(chain.slug);
    }
  };
