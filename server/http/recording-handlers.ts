import type { Hash } from '../api/primitives';
import type { RouteInput } from '../api/routes';
import type { Caller } from '../projects/access-keys';
import { isLocalUser } from '../projects/local-user';
import type { Handlers } from './context';
import { requireLocalUser } from './require-local-user';
import type { RecordingBuild as Build, RecordingKey, RecordingService } from './services';
import { waitOptions } from './wait-options';

type RecordingHandlers = Pick<
  Handlers,
  | 'getRecording'
  | 'recordSimulation'
  | 'recordTest'
  | 'checkRecordedBlock'
  | 'getRecordedCalls'
  | 'getRecordedStep'
  | 'getRecordedBytes'
  | 'getRecordedVariables'
  | 'evaluateInRecording'
  | 'findInRecording'
  | 'getWriters'
  | 'getRecordedNames'
  | 'getConsoleLines'
  | 'getFailedConditions'
  | 'getExecutedLines'
  | 'getDisassembly'
  | 'getRecordedFile'
>;

/** Handlers of the operations on recordings. */
export function recordingHandlers(recordings: RecordingService): RecordingHandlers {
  const keyOf = (
    { chain, transaction }: RouteInput<'getRecording'>['params'],
    caller: Caller,
    { block, build }: { block?: Hash | undefined; build?: Build | undefined } = {},
  ): RecordingKey => ({
    chain,
    transaction,
    user: caller.user.userId,
    ...(block !== undefined && { block }),
    ...(build !== undefined && { build }),
  });
  return {
    getRecording: async ({ params, query }, context) =>
      recordings.recording(keyOf(params, context, query), waitOptions(context)),
    recordSimulation: async ({ params: { chain }, query, body }, context) => {
      const by = { user: context.user.userId, build: query.build };
      return recordings.simulation(chain, body, by, waitOptions(context));
    },
    recordTest: async ({ body }, context) => {
      requireLocalUser(
        context,
        'only the local user of this machine can debug tests of its folders',
      );
      return recordings.test(body, context.user.userId, waitOptions(context));
    },
    checkRecordedBlock: async ({ params }, context) => {
      const { block } = params;
      return recordings.block({ ...keyOf(params, context), block }, waitOptions(context));
    },
    getRecordedCalls: async ({ params, query }, context) =>
      recordings.calls(keyOf(params, context, query), query, waitOptions(context)),
    getRecordedStep: async ({ params, query }, context) =>
      recordings.step(keyOf(params, context, query), params.step, waitOptions(context)),
    getRecordedBytes: async ({ params, query }, context) =>
      recordings.bytes(keyOf(params, context, query), params.step, query, waitOptions(context)),
    getRecordedVariables: async ({ params, query }, context) =>
      recordings.variables(keyOf(params, context, query), params.step, query, waitOptions(context)),
    evaluateInRecording: async ({ params, query, body }, context) =>
      recordings.evaluate(keyOf(params, context, query), params.step, body, waitOptions(context)),
    findInRecording: async ({ params, query, body }, context) =>
      recordings.find(keyOf(params, context, query), body, waitOptions(context)),
    getWriters: async ({ params, query }, context) =>
      recordings.writers(keyOf(params, context, query), query, waitOptions(context)),
    getRecordedNames: async ({ params, query }, context) =>
      recordings.names(keyOf(params, context, query), waitOptions(context)),
    getConsoleLines: async ({ params, query }, context) =>
      recordings.console(keyOf(params, context, query), waitOptions(context)),
    getFailedConditions: async ({ params, query }, context) =>
      recordings.conditions(keyOf(params, context, query), waitOptions(context)),
    getExecutedLines: async ({ params, query }, context) =>
      recordings.lines(keyOf(params, context, query), query, waitOptions(context)),
    getDisassembly: async ({ params, query }, context) => {
      const key = keyOf(params, context, query);
      return recordings.instructions(key, params.contract, query, waitOptions(context));
    },
    getRecordedFile: async ({ params, query }, context) => {
      const key = keyOf(params, context, query);
      const wanted = { name: query.file, hasPath: isLocalUser(context.user) };
      return recordings.file(key, params.contract, wanted, waitOptions(context));
    },
  };
}
