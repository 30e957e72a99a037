/** Time in which long work keeps the event loop from other events, in milliseconds. */
const SLICE_MS = 12;

const waiting: (() => void)[] = [];
let isExpected = false;
/** When the slice of the current turn ends. Undefined as long as no work has begun in the turn. */
let end: number | undefined;

/**
 * Waits for a turn of the event loop in which no other long work runs. The turns are given one by one, in the order of asking, and the
 * event loop processes timers and I/O between two of them.
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    expectTurn();
  });

/** Whether all long work together has had its time in the current turn of the event loop. */
export const isTurnOver = (): boolean => performance.now() >= endOfTurn();

/** Time of `performance.now()` until which long work may run in the current turn. */
export function endOfTurn(): number {
  if (end === undefined) {
    end = performance.now() + SLICE_MS;
    expectTurn();
  }
  return end;
}

function expectTurn(): void {
  if (isExpected) return;
  isExpected = true;
  setImmediate(beginTurn);
}

function beginTurn(): void {
  isExpected = false;
  end = undefined;
  const resume = waiting.shift();
  if (waiting.length > 0) expectTurn();
  resume?.();
}
