import type { Language } from './port/language';
import type { ProgramFacts } from './port/program-facts';
import type { RecordingVariables, VariableSource } from './port/variables';
import { DEFAULT_LANGUAGE, languageOf, whyNoValues } from './languages';

/** The variables of a recording, of each call by the language of its code. */
export function recordingVariables(source: VariableSource): RecordingVariables {
  const { calls } = source.calls;
  const byLanguage = new Map<Language, RecordingVariables>();
  const languageAt = (frame: number): Language => {
    const program = source.programOf(frame);
    return (program && languageOf(program)) ?? DEFAULT_LANGUAGE;
  };
  const whyUnknown = (frame: number): string | undefined => {
    const program = source.programOf(frame);
    return (program && whyNoValues(program)) ?? source.whyUnknown?.(frame);
  };
  const ofFrame = (frame: number): RecordingVariables => {
    const language = languageAt(frame);
    const programOf = (one: number): ProgramFacts | undefined => {
      const program = source.programOf(one);
      return program && languageOf(program) === language ? program : undefined;
    };
    const known = byLanguage.get(language);
    const variables = known ?? language.variables({ ...source, programOf, whyUnknown });
    byLanguage.set(language, variables);
    return variables;
  };
  const ofCall = (call: number | undefined): RecordingVariables =>
    ofFrame(calls[call ?? 0]?.frame ?? 0);
  return {
    at: (step, call) => ofCall(call ?? source.calls.callOf[step]).at(step, call),
    stateAt: (step, call) => ofCall(call).stateAt(step, call),
    resultsOf: (call) => ofCall(call).resultsOf(call),
    prepareWork: (step, call) => ofCall(call).prepareWork(step, call),
    accessesWork: (name, step, call) => ofCall(call).accessesWork(name, step, call),
    mentioned: (frame) => ofFrame(frame).mentioned(frame),
    failingCondition: (frame, offset) => ofFrame(frame).failingCondition(frame, offset),
  };
}
