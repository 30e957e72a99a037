import { arrowHead, COLOURS, dashOf, pathData, type Scene } from './scene';
import { lineY, type Palette } from './scene-svg';

/** Pixels of the file per pixel of the drawing, for high-resolution screens. */
const SCALE = 2;
/** Largest side of a canvas that browsers support, in pixels. */
const MAX_SIDE = 16_000;

/** The drawing as a PNG file, base64. Drawn on a canvas, because the webview's policy allows no images. */
export function scenePng({ width, height, nodes, edges }: Scene, palette: Palette): string {
  const { background, text, quiet, line, assets, font } = palette;
  const scale = Math.min(SCALE, MAX_SIDE / Math.max(width, height, 1));
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser draws no images');
  context.scale(scale, scale);
  context.fillStyle = background;
  context.fillRect(0, 0, width, height);
  context.font = `12px ${font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const { points, style } of edges) {
    const colour = assets[style % COLOURS] ?? text;
    context.strokeStyle = colour;
    context.fillStyle = colour;
    context.lineWidth = 1.5;
    const dash = dashOf(style);
    context.setLineDash(dash === '' ? [] : dash.split(' ').map(Number));
    context.stroke(new Path2D(pathData(points)));
    const head = arrowHead(points);
    if (!head) continue;
    const corners = head.map(({ x, y }) => `${x} ${y}`).join('L');
    context.fill(new Path2D(`M${corners}Z`));
  }
  context.setLineDash([]);
  for (const { label, text: content } of edges) {
    const { x, y, width: w, height: h } = label;
    context.fillStyle = background;
    context.fillRect(x - w / 2, y - h / 2, w, h);
    context.fillStyle = text;
    context.fillText(content, x, y);
  }
  for (const node of nodes) {
    const box = new Path2D();
    box.roundRect(node.x, node.y, node.width, node.height, 4);
    context.fillStyle = background;
    context.fill(box);
    context.strokeStyle = line;
    context.lineWidth = 1;
    context.stroke(box);
    node.lines.forEach((content, index) => {
      context.fillStyle = index === 0 ? text : quiet;
      context.fillText(content, node.x + node.width / 2, lineY(node, index));
    });
  }
  return canvas.toDataURL('image/png').replace(/^[^,]*,/, '');
}
