import type { Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Scene } from './scene';
import { fit, pan, reveal, zoom, type Size, type Viewport } from './viewport';

const STEP = 40;
const FACTOR = 1.25;

interface ViewportHandlers {
  /** Moves the drawing by a key. @returns whether the key does so */
  onKey: (key: string) => boolean;
  /** Does nothing while the whole drawing is fitted into the window. */
  bringIntoView: (box: Parameters<typeof reveal>[1]) => void;
  /** Of the drawing's element. */
  pointer: {
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerUp: () => void;
  };
}

/** Zoom and pan of a drawing by wheel, keys and pointer. */
export function useViewport(
  scene: Scene,
  viewport: Signal<Viewport | undefined>,
  svg: RefObject<SVGSVGElement | null>,
): ViewportHandlers {
  const dragged = useRef<{ x: number; y: number } | undefined>(undefined);
  const windowSize = (): Size => {
    const { width = 1, height = 1 } = svg.current?.getBoundingClientRect() ?? {};
    return { width, height };
  };
  const current = (): Viewport => viewport.peek() ?? fit(scene, windowSize());

  useEffect(() => {
    const element = svg.current;
    if (!element) return;
    function onWheel(event: WheelEvent): void {
      event.preventDefault();
      const view = current();
      viewport.value =
        event.ctrlKey || event.metaKey
          ? zoom(view, event.deltaY < 0 ? FACTOR : 1 / FACTOR, {
              x: event.offsetX,
              y: event.offsetY,
            })
          : pan(view, -event.deltaX, -event.deltaY);
    }
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      element.removeEventListener('wheel', onWheel);
    };
  });

  return {
    onKey(key) {
      const view = current();
      const { width, height } = windowSize();
      const middle = { x: width / 2, y: height / 2 };
      const moves: Partial<Record<string, () => Viewport | undefined>> = {
        '+': () => zoom(view, FACTOR, middle),
        '=': () => zoom(view, FACTOR, middle),
        '-': () => zoom(view, 1 / FACTOR, middle),
        '0': () => undefined,
        ArrowLeft: () => pan(view, STEP, 0),
        ArrowRight: () => pan(view, -STEP, 0),
        ArrowUp: () => pan(view, 0, STEP),
        ArrowDown: () => pan(view, 0, -STEP),
      };
      const move = moves[key];
      if (move) viewport.value = move();
      return move !== undefined;
    },
    bringIntoView(box) {
      const moved = viewport.peek();
      if (moved) viewport.value = reveal(moved, box, windowSize());
    },
    pointer: {
      onPointerDown(event) {
        if (event.button === 0) dragged.current = { x: event.clientX, y: event.clientY };
      },
      onPointerMove(event) {
        const from = dragged.current;
        if (!from || event.buttons === 0) return;
        const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
        if (Math.hypot(dx, dy) < 3) return;
        svg.current?.setPointerCapture(event.pointerId);
        viewport.value = pan(current(), dx, dy);
        dragged.current = { x: event.clientX, y: event.clientY };
      },
      onPointerUp() {
        dragged.current = undefined;
      },
    },
  };
}
