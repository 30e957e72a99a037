import type { RecordedSession } from './recordings';

/**
 * Steps of a recording that have neither a place in a file of their contract, nor a contract that says why.
 * @param most number of steps that are looked at: the first, the last, and others between them at equal distances
 */
export async function unplacedSteps(session: RecordedSession, most: number): Promise<string[]> {
  const { steps, contracts } = session.recording;
  const count = Math.min(steps, most);
  const looked = Array.from({ length: count }, (_, index) =>
    count < 2 ? 0 : Math.round((index * (steps - 1)) / (count - 1)),
  );
  const found: string[] = [];
  for (const number of looked) {
    const { op, pc, contract, place, callStack } = await session.step(number);
    const { hasLines, unavailable, files, name } = contracts[contract]!;
    const where = `step ${number}, ${op} at ${pc} of ${name || contracts[contract]!.address}`;
    if (place === undefined && (hasLines || (unavailable ?? '') === '')) {
      found.push(`${where} has no place, and nothing says why`);
    }
    if (place !== undefined && !(files.includes(place.file) && place.startLine > 0)) {
      found.push(`${where} has a place in ${place.file}:${place.startLine}, another contract's`);
    }
    if (JSON.stringify(callStack[0]?.place) !== JSON.stringify(place)) {
      found.push(`${where} has another place than its call`);
    }
  }
  return found;
}
