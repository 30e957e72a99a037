/** Number of concurrent requests. */
const WIDTH = 4;

/** Processes the items of a list with limited concurrency. @throws the first failure */
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
