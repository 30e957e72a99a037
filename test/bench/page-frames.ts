import type { Page } from 'playwright-core';

/** Steps of a scroll. */
const FRAMES = 300;

export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? NaN;
export const ms = (value: number): string => `${value.toFixed(1)} ms`;

/** One time per frame, in milliseconds. */
export interface Frames {
  /** Time from one frame to the next. The screen's own interval (60 frames a second) is the minimum. */
  intervals: number[];
  /** The page's own share: from the scroll event until the frame is painted. */
  work: number[];
}

/** When the page is painted, in the page's own milliseconds. */
interface Paints {
  /** The next paint. */
  painted: () => Promise<number>;
  /** The first paint at which a condition holds. */
  shown: (isThere: () => boolean) => Promise<number>;
}

declare global {
  // Set by `watchPaints` inside the page.
  var paints: Paints;
}

/** Runs inside the page: sets `window.paints` for the functions that measure there. */
export function watchPaints(): void {
  const painted = (): Promise<number> =>
    new Promise((resolve) =>
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          resolve(performance.now());
        };
        channel.port2.postMessage(0);
      }),
    );
  const shown = async (isThere: () => boolean): Promise<number> => {
    for (;;) {
      const at = await painted();
      if (isThere()) return at;
    }
  };
  window.paints = { painted, shown };
}

/** Runs inside the page: records the frames from the first to the last that scrolls the element. */
async function recordFrames(selector: string): Promise<Frames> {
  const scroller = document.querySelector(selector);
  const place = (): number | undefined => scroller?.scrollTop;
  const work: number[] = [];
  const painted = new MessageChannel();
  let began: number | undefined;
  const onScroll = (): void => {
    if (began !== undefined) return;
    began = performance.now();
    requestAnimationFrame(() => {
      painted.port2.postMessage(0);
    });
  };
  painted.port1.onmessage = () => {
    if (began !== undefined) work.push(performance.now() - began);
    began = undefined;
  };
  document.addEventListener('scroll', onScroll, { capture: true });
  const start = place();
  let last = await new Promise<number>(requestAnimationFrame);
  while (place() === start) last = await new Promise<number>(requestAnimationFrame);
  const intervals: number[] = [];
  for (let [still, before] = [0, place()]; still < 20; before = place()) {
    const now = await new Promise<number>(requestAnimationFrame);
    intervals.push(now - last);
    last = now;
    still = place() === before ? still + 1 : 0;
  }
  document.removeEventListener('scroll', onScroll, { capture: true });
  return { intervals: intervals.slice(0, -20), work };
}

/** Scrolls an element with the browser's own input, in `FRAMES` steps of `pixels` each, and returns the frames. */
export async function scroll(page: Page, selector: string, pixels: number): Promise<Frames> {
  const browser = await page.context().newCDPSession(page);
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not shown`);
  const frames = page.evaluate(recordFrames, selector);
  await browser.send('Input.synthesizeScrollGesture', {
    x: Math.round(box.x + box.width / 2),
    y: Math.round(box.y + box.height / 2),
    yDistance: -pixels * FRAMES,
    speed: pixels * 60,
    gestureSourceType: 'mouse',
    preventFling: true,
  });
  return frames;
}
