import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

/** Height of VS Code's list rows, in pixels. */
export const ROW_HEIGHT = 22;
const BEYOND = 12;

export interface VirtualRowsOptions {
  count: number;
  scroller: RefObject<HTMLDivElement | null>;
  /** Height of the sticky head above the rows, in pixels. */
  headHeight: number;
  initialOffset: number;
  /** Rows that are rendered above and below those in view. */
  overscan?: number;
}

/** Binds the virtualizer to a component, and renders it again when other rows come into view. */
export function useVirtualRows(options: VirtualRowsOptions): Virtualizer<HTMLElement, Element> {
  const [, rerender] = useReducer<number, undefined>((renders) => renders + 1, 0);
  const settings = {
    count: options.count,
    getScrollElement: () => options.scroller.current,
    estimateSize: () => ROW_HEIGHT,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    scrollMargin: options.headHeight,
    scrollPaddingStart: options.headHeight,
    initialOffset: options.initialOffset,
    overscan: options.overscan ?? BEYOND,
    onChange: () => {
      rerender(undefined);
    },
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, Element>(settings));
  virtualizer.setOptions(settings);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => {
    virtualizer._willUpdate();
  });
  return virtualizer;
}
