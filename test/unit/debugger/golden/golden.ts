import { callsAnswer } from '../../../../server/debugger/answers/calls';
import { requireKnownNames } from '../../../../server/debugger/answers/check-names';
import { recordingAnswer } from '../../../../server/debugger/answers/recording';
import { stepAnswer } from '../../../../server/debugger/answers/step';
import {
  evaluateAnswer,
  evaluator,
  variablesAnswer,
} from '../../../../server/debugger/answers/variables';
import { DebuggedTransaction } from '../../../../server/debugger/session/debugged-transaction';
import { findStop } from '../../../../server/debugger/session/find-stop';
import type { Debugger } from '../../../support/golden/debugger';
import { runScript } from '../../../support/golden/run-script';
import type { ScriptStep } from '../../../support/golden/script';
import { Stage, type Scene } from './stage';

const { signal } = new AbortController();

/** A test that debugs the transaction of a scene by a script. */
export function golden(title: string, scene: Scene, script: readonly ScriptStep[]): void {
  it(title, async () => {
    await runScript(await debug(scene), script);
  });
}

/** The answers of the operations on recordings, without a service. */
export async function debug(scene: Scene): Promise<Debugger> {
  const stage = new Stage(scene);
  const { recorded, programs } = stage.record();
  const debugged = await DebuggedTransaction.open(recorded, programs, signal);
  const evaluate = evaluator(debugged, signal);
  return {
    recording: recordingAnswer(debugged, 'test', '0x'),
    calls: await callsAnswer(debugged, {}, signal),
    names: stage.names,
    find: async (request) => {
      await requireKnownNames(debugged, request, signal);
      return findStop(debugged, request, evaluate, signal);
    },
    step: (step) => stepAnswer(debugged, step, signal),
    variables: (step, request) => variablesAnswer(debugged, step, request, signal),
    evaluate: (step, request) => evaluateAnswer(debugged, step, request, signal),
  };
}
