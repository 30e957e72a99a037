import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { ApiClient } from '../../../server/api/client';
import { invalidField } from '../../../server/api/errors';
import { hashSchema } from '../../../server/api/primitives';
import type { OnProgress } from '../../../server/api/progress';
import type { Recording } from '../../../server/api/recording';
import type { RouteRequest } from '../../../server/api/routes';
import type { RecordedTransaction } from './recorded-transaction';
import { NO_CONDITIONS, travel } from './travel';

const PLACE = 'entry, failure, or the node of a call or event in the call tree';

const launchSchema = z.object({
  chain: z.string({ error: 'the slug of a chain, or the id of a fork' }).min(1).optional(),
  fork: z.string({ error: 'the id of a fork' }).min(1).optional(),
  hash: hashSchema.optional(),
  simulate: z.looseObject({}, { error: 'the fields of an unsent transaction' }).optional(),
  stopAt: z
    .union([z.enum(['entry', 'failure']), z.int().min(0)], { error: PLACE })
    .default('entry'),
});

/** What a session debugs: a transaction of a chain (slug) or of a fork (id), or an unsent one. */
export interface Launch {
  chain: string;
  /** undefined: `simulate` is set. */
  hash?: string;
  /** Checked by the service. */
  simulate?: Record<string, unknown>;
  /** A number is a node of the invocation flow. */
  stopAt: 'entry' | 'failure' | number;
}

/** @throws ApiError `invalidField` that names the field */
export function readLaunch(args: unknown): Launch {
  const read = launchSchema.safeParse(args);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue?.path.join('.') ?? '';
    const value = issue?.path.reduce<unknown>(member, args);
    throw invalidField(field, value, issue?.message ?? '');
  }
  const { chain = read.data.fork, hash, simulate, stopAt } = read.data;
  if (chain === undefined) {
    throw invalidField('chain', undefined, 'the slug of a chain, or the id of a fork');
  }
  if ((hash === undefined) === (simulate === undefined)) {
    throw invalidField('hash', hash, 'a transaction hash, or simulate in its place');
  }
  return {
    chain,
    ...(hash !== undefined && { hash }),
    ...(simulate !== undefined && { simulate }),
    stopAt,
  };
}

const member = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;

/** Asks the service for the recording. */
export function record(
  client: ApiClient,
  { chain, hash, simulate }: Launch,
  options: { signal: AbortSignal; onProgress: OnProgress },
): Promise<Recording> {
  if (hash !== undefined) {
    return client.call('getRecording', { params: { chain, transaction: hash } }, options);
  }
  const body = simulate as RouteRequest<'recordSimulation'>['body'];
  return client.call('recordSimulation', { params: { chain }, body }, options);
}

/** The step at which a session begins. `remark` says why it is not the wanted one. */
export async function firstStop(
  recorded: RecordedTransaction,
  stopAt: Launch['stopAt'],
  signal: AbortSignal,
): Promise<{ step: number; reason: 'entry' | 'failure' | 'goto'; remark?: string }> {
  const { entry, status } = recorded.recording;
  if (stopAt === 'entry') return { step: entry, reason: 'entry' };
  if (stopAt === 'failure') {
    const conditions = { ...NO_CONDITIONS, failures: new Set(['uncaught'] as const) };
    const motion = { direction: 'forwards', mode: 'continue' } as const;
    const found = status ? undefined : await travel(recorded, 0, motion, conditions, signal);
    if (found?.reason === 'failure') return { step: found.step, reason: 'failure' };
    const remark = l10n.t('The transaction did not fail: the debugger is at its start.');
    return { step: entry, reason: 'entry', remark };
  }
  const step = await stepOfNode(recorded, stopAt);
  if (step !== undefined) return { step, reason: 'goto' };
  const remark = l10n.t('Node {0} has no steps: the debugger is at the start.', stopAt);
  return { step: entry, reason: 'entry', remark };
}

/** The first step of a call, or the step that emits an event. @param node of the invocation flow */
export async function stepOfNode(
  recorded: RecordedTransaction,
  node: number,
): Promise<number | undefined> {
  for await (const { calls, events } of recorded.calls()) {
    const call = calls.find(({ nodeId }) => nodeId === node);
    if (call !== undefined) return call.firstStep === call.endStep ? undefined : call.firstStep;
    const event = events.find(({ nodeId }) => nodeId === node);
    if (event !== undefined) return event.step;
  }
  return undefined;
}
