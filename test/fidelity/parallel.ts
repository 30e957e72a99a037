/** Requests under way at the same time. */
const WIDTH = 4;

/** Does the same with each of a list, a few at a time. @throws what the first failure throws */
export async function eachOf<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) await work(item, index);
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
}
