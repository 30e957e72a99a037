import type { RecordedStep } from '../../../server/api/recording';
import type { FailingLine, PlaceInRecording } from '../../model/debugging';
import type { Viewed } from './viewed';

/** Where a session is, for those that follow it. */
export async function placeInRecording({
  recorded,
  sources,
  stop: { step },
}: Pick<Viewed, 'recorded' | 'sources' | 'stop'>): Promise<PlaceInRecording> {
  const { chain, transaction, isSimulation, contracts: codes, build, steps } = recorded.recording;
  const contracts = codes.flatMap(({ name, files }) => (files.length > 0 ? [name] : []));
  const at = await recorded.step(step);
  const { callStack } = at;
  const innermost = callStack.findIndex(({ kind }) => kind === 'external');
  const external = callStack[innermost];
  // Those that others know are of the executed build.
  const inside = build === 'executed' ? callStack.slice(0, Math.max(0, innermost)) : [];
  const internalCalls = inside.map(({ call: index }) => index);
  const call = external && (await recorded.call(external.call).catch(() => undefined));
  const { nodeId: node = null } = call ?? {};
  const failure = await failingLine(at, sources);
  return {
    chain,
    transaction,
    isSimulation,
    step,
    build,
    steps,
    node,
    internalCalls,
    contracts,
    ...(failure && { failure }),
  };
}

/** The line that a client shows at a step at which a call fails; undefined at other steps, and where no line is known. */
async function failingLine(
  { failure, callStack }: RecordedStep,
  sources: Viewed['sources'],
): Promise<FailingLine | undefined> {
  const entry = callStack.find(({ place }) => place !== undefined);
  if (failure === undefined || entry?.place === undefined) return undefined;
  const { path } = await sources.of(entry.contract, entry.place.file);
  return path === undefined ? undefined : { path, line: entry.place.startLine, reason: failure };
}
