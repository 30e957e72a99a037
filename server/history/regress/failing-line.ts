import type { MinedTransaction } from '../../analysis/ports';
import { simulationOf } from '../../analysis/simulation/simulation-of-transaction';
import type { Address, Hash, Hex } from '../../api/primitives';
import type { RecordedStep } from '../../api/recording';
import { findBody, type FindRequest, type Found } from '../../api/recording-search';
import type { SimulateBody } from '../../api/simulate';
import type { SourcePlace } from '../../api/source-locations';

interface Key {
  readonly chain: string;
  readonly transaction: Hash;
  readonly user: string;
}

interface Options {
  readonly signal: AbortSignal;
}

/** Recordings of unsent transactions, for the lines at which they fail. */
export interface FailureRecordings {
  simulation(
    chain: string,
    body: SimulateBody,
    by: Pick<Key, 'user'>,
    options: Options,
  ): Promise<{ readonly transaction: string }>;
  find(key: Key, request: FindRequest, options: Options): Promise<Found>;
  step(key: Key, step: number, options: Options): Promise<RecordedStep>;
}

/**
 * The line at which a transaction fails with other codes.
 * @returns undefined where the source of the failing code is not known
 * @throws ApiError as recordings do
 */
export async function failingLine(
  recordings: FailureRecordings,
  { chain, user }: Pick<Key, 'chain' | 'user'>,
  mined: MinedTransaction,
  codes: ReadonlyMap<Address, Hex>,
  signal: AbortSignal,
): Promise<SourcePlace | undefined> {
  const stateOverrides = Object.fromEntries(Array.from(codes, ([one, code]) => [one, { code }]));
  const body = { ...simulationOf(mined), stateOverrides };
  const { transaction } = await recordings.simulation(chain, body, { user }, { signal });
  const key = { chain, transaction: transaction as Hash, user };
  const found = await recordings.find(key, FAILURE, { signal });
  if (found.reason !== 'failure') return undefined;
  const { callStack, uncertain } = await recordings.step(key, found.step, { signal });
  return uncertain === undefined ? callStack[0]?.place : undefined;
}

const FAILURE = findBody.parse({
  from: 0,
  direction: 'forwards',
  mode: 'continue',
  failures: 'uncaught',
});
