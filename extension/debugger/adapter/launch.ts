import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../../../server/api/client';
import { invalidField } from '../../../server/api/errors';
import type { OnProgress } from '../../../server/api/progress';
import type { RecordedCall, Recording } from '../../../server/api/recording';
import type { RouteRequest } from '../../../server/api/routes';
import type { FirstStop } from '../../model/debugging';
import type { RecordedTransaction } from './recorded-transaction';
import { NO_CONDITIONS, stepOrContinue } from './step-and-continue';
import { isObject } from '../../../server/client/is-object';

/** What a session debugs: a transaction of a chain (slug) or of a fork (id), or an unsent one. */
export interface Launch {
  chain: string;
  /** undefined: `simulate` is set. */
  hash?: string;
  /** Checked by the service. */
  simulate?: Record<string, unknown>;
  /** What differs from the transaction, in words: variables that were changed before it. */
  changes: readonly string[];
  stopAt: FirstStop;
  /** Of which codes the steps are. */
  build: Build;
}

/** `unoptimized`: of builds without the optimizer, where they have the effects of the executed codes. */
export type Build = 'executed' | 'unoptimized';

const PLACE =
  "'entry', 'failure', the number of a node in the call tree, { call } with the index of a call in the recording, or { step } with the number of a step";
const CHAIN = 'the slug of a chain, or the id of a fork';

/** @throws ApiError `invalidField` that names the field */
export function readLaunch(args: unknown): Launch {
  const fields = isObject(args) ? args : {};
  const { fork, chain = fork, hash, simulate, stopAt = 'entry', changes = [] } = fields;
  const { build = 'executed' } = fields;
  if (typeof chain !== 'string' || chain === '') throw invalidField('chain', chain, CHAIN);
  if (!isTexts(changes)) throw invalidField('changes', changes, `up to ${MOST_CHANGES} texts`);
  const more = { stopAt: readFirstStop(stopAt), changes, build: readBuild(build) };
  if (simulate !== undefined) {
    if (!isObject(simulate)) {
      throw invalidField('simulate', simulate, 'an object with from, to, data and so on');
    }
    if (hash !== undefined) throw invalidField('hash', hash, 'none together with simulate');
    return { chain, simulate, ...more };
  }
  if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash)) {
    throw invalidField('hash', hash, 'a transaction hash: 0x and 64 hex digits');
  }
  return { chain, hash: hash.toLowerCase(), ...more };
}

function readBuild(build: unknown): Build {
  if (build === 'executed' || build === 'unoptimized') return build;
  throw invalidField('build', build, "'executed' or 'unoptimized'");
}

const MOST_CHANGES = 100;
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= MOST_CHANGES &&
  value.every((one) => typeof one === 'string');

const isIndex = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

/** @throws ApiError `invalidField` */
export function readFirstStop(value: unknown): FirstStop {
  if (value === 'entry' || value === 'failure' || isIndex(value)) return value;
  if (isObject(value) && isIndex(value['call'])) return { call: value['call'] };
  if (isObject(value) && isIndex(value['step'])) return { step: value['step'] };
  throw invalidField('stopAt', value, PLACE);
}

/** Asks the service for the recording. */
export function record(
  client: ApiClient,
  { chain, hash, simulate, build }: Launch,
  options: { signal: AbortSignal; onProgress: OnProgress },
): Promise<Recording> {
  if (hash !== undefined) {
    const params = { chain, transaction: hash };
    return client.call('getRecording', { params, query: { build } }, options);
  }
  const body = simulate as RouteRequest<'recordSimulation'>['body'];
  return client.call('recordSimulation', { params: { chain }, query: { build }, body }, options);
}

/** `remark` says why it is not the wanted step. */
export interface FirstStopFound {
  step: number;
  reason: 'entry' | 'failure' | 'goto';
  /** Why a call fails there. */
  text?: string;
  remark?: string;
}

/** The step at which a session begins. */
export async function firstStop(
  recorded: RecordedTransaction,
  stopAt: Launch['stopAt'],
  signal: AbortSignal,
): Promise<FirstStopFound> {
  const { entry, status } = recorded.recording;
  if (stopAt === 'entry') return { step: entry, reason: 'entry' };
  if (stopAt === 'failure') {
    const conditions = { ...NO_CONDITIONS, failures: new Set(['uncaught'] as const) };
    const movement = { direction: 'forwards', mode: 'continue' } as const;
    const found = status
      ? undefined
      : await stepOrContinue(recorded, 0, movement, conditions, { signal });
    if (found?.reason === 'failure') {
      return { step: found.step, reason: 'failure', text: found.text };
    }
    const remark = l10n.t('The transaction did not fail.');
    return { step: entry, reason: 'entry', remark };
  }
  if (typeof stopAt === 'object' && 'step' in stopAt) return stopAtStep(recorded, stopAt.step);
  const isCall = typeof stopAt === 'object';
  const step = isCall
    ? await stepOfCall(recorded, stopAt.call, signal)
    : await stepOfNode(recorded, stopAt, signal);
  if (step !== undefined) return { step, reason: 'goto' };
  const remark = isCall
    ? l10n.t('The recording has no call {0} with code.', stopAt.call)
    : l10n.t('Node {0} of the call tree executes no code.', stopAt);
  return { step: entry, reason: 'entry', remark };
}

function stopAtStep({ recording }: RecordedTransaction, step: number): FirstStopFound {
  const { entry, steps } = recording;
  if (step < steps) return { step, reason: 'goto' };
  const remark = l10n.t('The recording has no step {0}: it has {1} steps.', step, steps);
  return { step: entry, reason: 'entry', remark };
}

async function stepOfCall(
  recorded: RecordedTransaction,
  index: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (recorded.recording.build === 'executed') {
    const call = await recorded.call(index);
    return call && firstLineOf(recorded, call, signal);
  }
  // The number is that of the executed build, of whose calls both have the external ones.
  const node = await recorded.executedNode(index);
  return node === undefined ? undefined : stepOfNode(recorded, node, signal);
}

/** The first line of a call, or the step that emits an event. @param node of the invocation flow */
async function stepOfNode(
  recorded: RecordedTransaction,
  node: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  for await (const { calls, events } of recorded.calls()) {
    const call = calls.find(({ nodeId }) => nodeId === node);
    if (call !== undefined) return firstLineOf(recorded, call, signal);
    const event = events.find(({ nodeId }) => nodeId === node);
    if (event !== undefined) return event.step;
  }
  return undefined;
}

/** The first line of a call, or its first step if it has no lines; undefined for a call without steps. */
export async function firstLineOf(
  recorded: RecordedTransaction,
  { firstStep, endStep }: Pick<RecordedCall, 'firstStep' | 'endStep'>,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (firstStep >= endStep) return undefined;
  const movement = { direction: 'forwards', mode: 'step', depth: 'into' } as const;
  const { step, reason } = await stepOrContinue(recorded, firstStep, movement, NO_CONDITIONS, {
    signal,
  });
  return reason === 'step' && step < endStep ? step : firstStep;
}
