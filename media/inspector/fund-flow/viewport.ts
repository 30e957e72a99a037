/** Visible part of a drawing: `scale` screen pixels per drawing pixel, offset by `x` and `y` screen pixels. */
export interface Viewport {
  scale: number;
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

interface Point {
  x: number;
  y: number;
}

/** Distance between a revealed box and the window's edge, in screen pixels. Leaves space for the focus outline. */
const MARGIN = 8;
/** A small drawing is enlarged up to this, to use the room that there is. */
export const MAX_FIT = 1.6;
const MIN_SCALE = 0.05;
const MAX_SCALE = 4;

/** Centres the whole drawing in the window. */
export function fit(drawing: Size, window: Size): Viewport {
  const scale = Math.max(
    MIN_SCALE,
    Math.min(MAX_FIT, window.width / (drawing.width || 1), window.height / (drawing.height || 1)),
  );
  return {
    scale,
    x: Math.max(0, (window.width - drawing.width * scale) / 2),
    y: Math.max(0, (window.height - drawing.height * scale) / 2),
  };
}

/** Zooms by `factor` around a fixed point of the window. */
export function zoom(view: Viewport, factor: number, at: Point): Viewport {
  const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, view.scale * factor));
  const ratio = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
}

export function pan(view: Viewport, dx: number, dy: number): Viewport {
  return { ...view, x: view.x + dx, y: view.y + dy };
}

/** Moves the drawing by the smallest distance that brings a box into the window. A larger box shows its start. */
export function reveal(view: Viewport, box: Point & Size, window: Size): Viewport {
  const move = (start: number, length: number, room: number): number => {
    if (start < MARGIN || length + 2 * MARGIN > room) return MARGIN - start;
    return Math.min(0, room - MARGIN - start - length);
  };
  const { scale } = view;
  const [left, top] = [view.x + box.x * scale, view.y + box.y * scale];
  return pan(
    view,
    move(left, box.width * scale, window.width),
    move(top, box.height * scale, window.height),
  );
}
