/** Index of the last of ascending numbers that is not above a limit; -1 if there is none. */
export function lastUpTo(ascending: ArrayLike<number>, limit: number): number {
  let low = -1;
  for (let high = ascending.length - 1; low < high;) {
    const middle = Math.ceil((low + high) / 2);
    if ((ascending[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
