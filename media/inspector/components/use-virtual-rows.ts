import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

/** Height of VS Code's list rows, in pixels. */
export const ROW_HEIGHT = 22;
const BEYOND = 12;
/** After a jump, rows beyond the view are rendered when no other jump follows for so long, in milliseconds. */
const REST_MS = 100;
/** Height of what is usually above a list, in pixels: an estimate until the list is measured. */
const ABOVE = 150;

interface VirtualRowsOptions {
  count: number;
  scroller: RefObject<HTMLDivElement | null>;
  /** Height of the sticky head above the rows, in pixels. */
  headHeight: number;
  initialOffset: number;
  /** Rows that are rendered above and below those in view. */
  overscan?: number;
}

/** A row to render; `start` is its distance from the top of the scrolled content, in pixels. */
interface VirtualRow {
  index: number;
  start: number;
}

/**
 * Which rows of a list are rendered. All rows have the same height, so nothing is stored for each row: a list of 100,000 rows costs as
 * much as a short one.
 */
class VirtualRows {
  height = Math.max(innerHeight - ABOVE, ROW_HEIGHT);
  /** Whether rows beyond the view are rendered: not in the first paint and in jumps, which need only those in view. */
  isWide = false;

  /** @param scrollOffset in pixels, as of the last scroll event */
  constructor(
    private readonly scroller: VirtualRowsOptions['scroller'],
    private readonly headHeight: number,
    public scrollOffset: number,
  ) {}

  /** First and last row in view; they may be outside the list. */
  get ends(): [number, number] {
    const top = this.scrollOffset - this.headHeight;
    return [Math.floor(top / ROW_HEIGHT), Math.ceil((top + this.height) / ROW_HEIGHT) - 1];
  }

  rendered(count: number, overscan: number): VirtualRow[] {
    const beyond = this.isWide ? overscan : 0;
    const [first, last] = this.ends;
    const from = Math.max(first - beyond, 0);
    const length = Math.max(0, Math.min(last + beyond, count - 1) - from + 1);
    return Array.from({ length }, (_, at) => ({
      index: from + at,
      start: this.headHeight + (from + at) * ROW_HEIGHT,
    }));
  }

  /** Brings a row into view. `auto` scrolls no further than needed. */
  scrollToIndex(index: number, align: 'center' | 'auto'): void {
    const view = this.scroller.current;
    if (!view) return;
    const top = index * ROW_HEIGHT;
    const bottom = top + this.headHeight + ROW_HEIGHT - view.clientHeight;
    if (align === 'center') view.scrollTop = top - (view.clientHeight - ROW_HEIGHT) / 2;
    else if (view.scrollTop > top) view.scrollTop = top;
    else if (view.scrollTop < bottom) view.scrollTop = bottom;
  }
}

/** The rows to render. Renders the component again when other rows come into view. */
export function useVirtualRows(options: VirtualRowsOptions): {
  rows: VirtualRows;
  rendered: VirtualRow[];
} {
  const { count, scroller, headHeight, initialOffset, overscan = BEYOND } = options;
  const [, rerender] = useReducer<number, undefined>((renders) => renders + 1, 0);
  const [rows] = useState(() => new VirtualRows(scroller, headHeight, initialOffset));

  useLayoutEffect(() => {
    const view = scroller.current;
    if (!view) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    function widen(): void {
      if (rows.isWide) return;
      rows.isWide = true;
      rerender(undefined);
    }
    function update(height: number): void {
      const before = rows.ends.join();
      rows.scrollOffset = view?.scrollTop ?? 0;
      rows.height = height;
      if (rows.ends.join() !== before) rerender(undefined);
    }
    const onScroll = (): void => {
      const [before] = rows.ends;
      update(rows.height);
      clearTimeout(timer);
      // Rows beyond the view are of use where the next frame shows them.
      rows.isWide = Math.abs(rows.ends[0] - before) <= overscan;
      if (!rows.isWide) timer = setTimeout(widen, REST_MS);
    };
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(widen);
    });
    const observer = new ResizeObserver(() => {
      const { clientHeight } = view;
      // Rows that are too many for the first paint are those beyond the view afterwards.
      if (!rows.isWide && clientHeight <= rows.height) rows.height = clientHeight;
      else update(clientHeight);
    });
    observer.observe(view);
    view.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      observer.disconnect();
      view.removeEventListener('scroll', onScroll);
    };
  }, [rows, scroller, overscan]);

  return { rows, rendered: rows.rendered(count, overscan) };
}
