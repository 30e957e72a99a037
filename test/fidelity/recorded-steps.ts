import assert from 'node:assert/strict';
import { RecordedSession } from '../support/recordings';
import type { TestService } from '../support/service';
import { unplacedSteps } from '../support/unplaced-steps';
import { FORM } from './run-length';

/** Steps of a transaction that are looked at. */
const STEPS = FORM === 'long' ? 2_000 : 50;

/** Transactions of a source whose steps are looked at, of all. */
export const recordedOf = <T>(all: readonly T[]): readonly T[] =>
  FORM === 'long' ? all : all.slice(0, 5);

/** Each step of the recording has a place in the source, or its code says why not. */
export async function requirePlaces(
  service: TestService,
  chain: string,
  hash: string,
): Promise<void> {
  const session = await RecordedSession.open(service, chain, hash);
  assert.deepEqual(await unplacedSteps(session, STEPS), [], hash);
}
