import { arrowHead, COLOURS, dashOf, LINE_HEIGHT, pathData, type Scene } from './scene';

/** Colours and font of a standalone drawing. */
export interface Palette {
  background: string;
  text: string;
  quiet: string;
  line: string;
  /** Colours of the assets, used in turn. */
  assets: readonly string[];
  font: string;
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The drawing as a standalone SVG file. */
export function sceneSvg({ width, height, nodes, edges }: Scene, palette: Palette): string {
  const { background, text, quiet, line, assets, font } = palette;
  const colour = (style: number): string => escaped(assets[style % COLOURS] ?? text);
  const label = (content: string, x: number, y: number, fill: string, anchor: string): string =>
    `<text x="${x}" y="${y}" fill="${escaped(fill)}" text-anchor="${anchor}" dominant-baseline="central">${escaped(content)}</text>`;
  const arrows = edges.map(({ points, style }) => {
    const head =
      arrowHead(points)
        ?.map(({ x, y }) => `${x},${y}`)
        .join(' ') ?? '';
    const dash = dashOf(style);
    return (
      `<path d="${pathData(points)}" fill="none" stroke="${colour(style)}" stroke-width="1.5"` +
      `${dash === '' ? '' : ` stroke-dasharray="${dash}"`}/><polygon points="${head}" fill="${colour(style)}"/>`
    );
  });
  const labels = edges.map(
    ({ label: { x, y, width: w, height: h }, text: content }) =>
      `<rect x="${x - w / 2}" y="${y - h / 2}" width="${w}" height="${h}" fill="${escaped(background)}"/>${label(content, x, y, text, 'middle')}`,
  );
  const boxes = nodes.map(({ x, y, width: w, height: h, lines }) => {
    const rows = lines.map((content, index) =>
      label(
        content,
        x + w / 2,
        lineY({ y, height: h, lines }, index),
        index === 0 ? text : quiet,
        'middle',
      ),
    );
    return `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="4" fill="${escaped(background)}" stroke="${escaped(line)}"/>${rows.join('')}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(width)}" height="${Math.ceil(height)}" viewBox="0 0 ${width} ${height}" font-family="${escaped(font)}" font-size="12"><rect width="100%" height="100%" fill="${escaped(background)}"/>${[...arrows, ...labels, ...boxes].join('')}</svg>\n`;
}

/** Vertical centre of a line of text in a box. */
export function lineY(
  { y, height, lines }: { y: number; height: number; lines: readonly string[] },
  index: number,
): number {
  return y + height / 2 + (index - (lines.length - 1) / 2) * LINE_HEIGHT;
}
