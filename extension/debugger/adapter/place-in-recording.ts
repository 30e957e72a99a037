import type { PlaceInRecording } from '../../model/debugging';
import type { Viewed } from './viewed';

/** Where a session is, for those that follow it. */
export async function placeInRecording({
  recorded,
  stop: { step },
}: Pick<Viewed, 'recorded' | 'stop'>): Promise<PlaceInRecording> {
  const { chain, transaction, isSimulation, contracts: codes, build } = recorded.recording;
  const contracts = codes.flatMap(({ name, files }) => (files.length > 0 ? [name] : []));
  const { callStack } = await recorded.step(step);
  const innermost = callStack.findIndex(({ kind }) => kind === 'external');
  const external = callStack[innermost];
  // Those that others know are of the executed build.
  const inside = build === 'executed' ? callStack.slice(0, Math.max(0, innermost)) : [];
  const internalCalls = inside.map(({ call: index }) => index);
  const call = external && (await recorded.call(external.call).catch(() => undefined));
  const { nodeId: node = null } = call ?? {};
  return { chain, transaction, isSimulation, step, node, internalCalls, contracts };
}
