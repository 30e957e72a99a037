import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { WrittenAnalysis } from '../api/case-content';
import { invalidField, systemLimit, type ApiError } from '../api/errors';
import { LIMITS } from '../api/limits';
import { encodeCase, type CasePart } from '../cases/case-file';
import type { CaseService } from '../cases/case-service';
import type { CaseSubject } from '../cases/case-subject';
import type { Lookups } from '../cases/known/lookups';
import { recordPart, type RecordingParts, type ToRecord } from '../cases/record-case';
import type { HeldPlace } from '../history/held/held-block';
import { replaceFile } from '../kernel/files/replace-file';
import type { ChainAnalysis } from './analysis-services';
import { executeOn } from './case-execution';
import { casePlace, type CasePlace } from './case-place';
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

/** Writes what is read about analyses into a file. */
export function caseRecorder(options: CaseServicesOptions, compose: Compose): Record {
  return async ({ analyses, shown, file, prove, user }, limits) => {
    await access(dirname(file), constants.W_OK).catch(() => {
      throw unwritable(file);
    });
    if (shown?.kind === 'comparison' && analyses.length !== 2) {
      throw invalidField('analyses', analyses.length, '2: the sides of a comparison');
    }
    const isProvable = analyses.every((one) => 'transaction' in one) && analyses.length === 1;
    if (prove && !isProvable) {
      throw invalidField('prove', true, 'false: one transaction of a chain can be proved');
    }
    const groups = await grouped(options, analyses, limits.signal);
    const parts: CasePart[] = [];
    for (const { place, analyses: found } of groups) {
      if (place.fork !== undefined && prove) {
        throw invalidField(
          'prove',
          true,
          'false: the state of a fork has no root to prove it with',
        );
      }
      const recording = recordingOf(options, compose, place, user, limits);
      parts.push(await recordPart(recording, { analyses: found, prove }, limits));
    }
    const { bytes, id } = await encodeCase({ parts, shown });
    await replaceFile(file, bytes).catch((error: unknown) => {
      throw systemLimit(error) ?? unwritable(file);
    });
    return { id, parts, shown, bytes: bytes.length };
  };
}

/** Analyses on one chain or fork. */
interface Group {
  readonly place: CasePlace;
  readonly analyses: ToRecord[];
}

/** @throws ApiError `chainNotFound`, `forkNotFound`, `invalidField` for too many chains */
async function grouped(
  options: CaseServicesOptions,
  analyses: readonly WrittenAnalysis[],
  signal: AbortSignal,
): Promise<readonly Group[]> {
  const groups = new Map<string, Group>();
  for (const [index, { chain, ...analysis }] of analyses.entries()) {
    const place = await casePlace(options, chain, analysis, signal);
    const key = JSON.stringify([place.chain.slug, place.fork, chain]);
    const group = groups.get(key) ?? { place, analyses: [] };
    groups.set(key, group);
    group.analyses.push({ index, ...analysis });
  }
  if (groups.size > LIMITS.caseChains) {
    const accepted = `of up to ${LIMITS.caseChains} chains and forks`;
    throw invalidField('analyses', groups.size, accepted);
  }
  return [...groups.values()];
}

function recordingOf(
  options: CaseServicesOptions,
  compose: Compose,
  place: CasePlace,
  user: string,
  limits: Parameters<Record>[1],
): RecordingParts {
  const { parts, own, inProgram } = options;
  const { chain } = place;
  const labels = chain.slug === parts.sandbox?.chain.slug ? parts.sandbox.labels : {};
  return {
    ...place,
    lookups: { ...own.lookups, labels: { ...labels, ...own.lookups.labels } },
    inProgram: new Set(inProgram.keys()),
    named: new Set(Object.keys(labels)),
    writtenBy: VERSION,
    execute: executeOn(parts),
    exercise: exerciseOf(options, compose, user, limits),
  };
}

/** Does with the analyses what readers will do, on a chain that only the recording knows. */
const exerciseOf =
  (
    { chains, clients, parts: { forks } }: CaseServicesOptions,
    compose: Compose,
    user: string,
    limits: Parameters<Record>[1],
  ): RecordingParts['exercise'] =>
  async (chain, client, lookups, subject) => {
    chains.addChain(chain, { isListed: false });
    clients.set(chain.slug, client);
    const place = { chain: chain.slug, isOnline: () => false };
    const services = compose(lookups, subject, place);
    try {
      for (const analysis of subject.analyses) {
        const isFork = subject.chain.isFork === true;
        const exercise = { services, forks, chain, client, isFork, analysis, user };
        await exerciseCase(exercise, limits);
      }
    } finally {
      await services.closeEngines();
      chains.removeChain(chain.slug);
      clients.delete(chain.slug);
    }
  };
