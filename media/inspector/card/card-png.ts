import type { CardText } from './card-text';

/** Pixels of the picture per pixel of the drawing, for high-resolution screens. */
const SCALE = 2;
const WIDTH = 680;
const EDGE = 24;
const LINE = 22;
const GAP = 10;
const TEXT = 13;
const TITLE = 16;
/** Of the column of US dollars, where a price is known. */
const USD_WIDTH = 100;
const MAX_TITLE_LINES = 6;
const MAX_REASON_LINES = 4;

/** Colours and font of the current theme. */
interface Look {
  background: string;
  text: string;
  quiet: string;
  line: string;
  inflow: string;
  outflow: string;
  failure: string;
  font: string;
}

function currentColours(): Look {
  const style = getComputedStyle(document.documentElement);
  const variable = (name: string, fallback: string): string =>
    style.getPropertyValue(`--vscode-${name}`).trim() || fallback;
  const text = variable('foreground', variable('editor-foreground', 'black'));
  return {
    background: variable('editor-background', 'white'),
    text,
    quiet: variable('descriptionForeground', text),
    line: variable('contrastBorder', variable('panel-border', text)),
    inflow: variable('gitDecoration-addedResourceForeground', text),
    outflow: variable('charts-red', text),
    failure: variable('errorForeground', text),
    font: getComputedStyle(document.body).fontFamily,
  };
}

/** A piece of the picture: draws itself from a height, and returns the height at which it ends. */
type Draw = (top: number) => number;

/** The card as a picture of the current theme. Drawn on a canvas, because the webview's policy allows no images. */
export async function cardPng(card: CardText): Promise<Blob> {
  const look = currentColours();
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser draws no images');
  // Setting the size clears the canvas, so that the first pass only measures.
  const height = draw(context, card, look);
  canvas.width = WIDTH * SCALE;
  canvas.height = Math.ceil(height) * SCALE;
  context.scale(SCALE, SCALE);
  context.fillStyle = look.background;
  context.fillRect(0, 0, WIDTH, height);
  draw(context, card, look);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error('this browser writes no PNG'));
    }, 'image/png');
  });
}

/** @returns the height of the picture */
function draw(context: CanvasRenderingContext2D, card: CardText, look: Look): number {
  const pieces: Draw[] = [
    (top) => headOf(context, card, look, top),
    (top) => paragraph(context, card.sentence, top, titleStyle(look), MAX_TITLE_LINES),
    ...(card.reason === ''
      ? []
      : [
          (top: number) =>
            paragraph(context, card.reason, top, reasonStyle(look), MAX_REASON_LINES) - GAP / 2,
        ]),
    ...(card.rows.length === 0 ? [] : [(top: number) => tableOf(context, card, look, top)]),
    (top) => footOf(context, card, look, top),
  ];
  context.textBaseline = 'middle';
  return pieces.reduce((top, piece) => piece(top) + GAP, EDGE) + EDGE - GAP;
}

interface TextStyle {
  font: string;
  colour: string;
  align?: CanvasTextAlign;
}

const titleStyle = ({ font, text }: Look): TextStyle => ({
  font: `600 ${TITLE}px ${font}`,
  colour: text,
});
const reasonStyle = ({ font, failure }: Look): TextStyle => ({
  font: `${TEXT}px ${font}`,
  colour: failure,
});

function write(
  context: CanvasRenderingContext2D,
  text: string,
  left: number,
  top: number,
  { font, colour, align = 'left' }: TextStyle,
): void {
  context.font = font;
  context.fillStyle = colour;
  context.textAlign = align;
  context.fillText(text, left, top + LINE / 2);
}

/** Text in lines that fit; the last one ends in an ellipsis where more follows. */
function paragraph(
  context: CanvasRenderingContext2D,
  text: string,
  top: number,
  style: TextStyle,
  limit: number,
): number {
  context.font = style.font;
  const lines = wrapped(text, (line) => context.measureText(line).width <= WIDTH - 2 * EDGE);
  const shown = lines.slice(0, limit);
  shown.forEach((line, index) => {
    const isCut = index === limit - 1 && lines.length > limit;
    write(context, isCut ? `${line.slice(0, -1)}…` : line, EDGE, top + index * LINE, style);
  });
  return top + shown.length * LINE;
}

/** Breaks a text at spaces, and inside words that are longer than a line. */
function wrapped(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const next = line === '' ? word : `${line} ${word}`;
    if (fits(next)) {
      line = next;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const character of word) {
      if (line !== '' && !fits(line + character)) {
        lines.push(line);
        line = '';
      }
      line += character;
    }
  }
  if (line !== '') lines.push(line);
  return lines;
}

function headOf(
  context: CanvasRenderingContext2D,
  { outcome, isDone, verdict }: CardText,
  { font, inflow, failure, quiet }: Look,
  top: number,
): number {
  const mark = isDone ? '✓' : '✗';
  const colour = isDone ? inflow : failure;
  write(context, `${mark} ${outcome}`, EDGE, top, { font: `600 ${TEXT}px ${font}`, colour });
  const right: TextStyle = { font: `${TEXT}px ${font}`, colour: quiet, align: 'right' };
  write(context, verdict, WIDTH - EDGE, top, right);
  return top + LINE;
}

function tableOf(
  context: CanvasRenderingContext2D,
  { rows }: CardText,
  look: Look,
  top: number,
): number {
  const { font, text, quiet, line, inflow, outflow } = look;
  context.fillStyle = line;
  context.fillRect(EDGE, top, WIDTH - 2 * EDGE, 1);
  const usdWidth = rows.some(({ usd }) => usd !== '') ? USD_WIDTH : 0;
  let at = top + GAP;
  for (const { account, roles, change, usd, direction } of rows) {
    const strong = `600 ${TEXT}px ${font}`;
    const name = cutTo(context, account, strong, 190);
    write(context, name, EDGE, at, { font: strong, colour: text });
    const after = EDGE + context.measureText(name).width + 8;
    const plain = `${TEXT}px ${font}`;
    write(context, roles, after, at, { font: `12px ${font}`, colour: quiet });
    const colour = direction === 'in' ? inflow : direction === 'out' ? outflow : quiet;
    const amount = cutTo(context, change, plain, 230);
    write(context, amount, WIDTH - EDGE - usdWidth, at, { font: plain, colour, align: 'right' });
    write(context, usd, WIDTH - EDGE, at, { font: plain, colour, align: 'right' });
    at += LINE;
  }
  return at;
}

/** The first characters of a text that fit into a width. */
function cutTo(
  context: CanvasRenderingContext2D,
  text: string,
  font: string,
  width: number,
): string {
  context.font = font;
  if (context.measureText(text).width <= width) return text;
  const characters = Array.from(text);
  while (characters.length > 1 && context.measureText(`${characters.join('')}…`).width > width) {
    characters.pop();
  }
  return `${characters.join('')}…`;
}

function footOf(
  context: CanvasRenderingContext2D,
  { place, hash }: CardText,
  { font, quiet }: Look,
  top: number,
): number {
  const style: TextStyle = { font: `11px ${font}`, colour: quiet };
  write(context, place, EDGE, top, style);
  if (hash === '') return top + LINE;
  write(context, hash, EDGE, top + LINE - 4, style);
  return top + 2 * LINE - 4;
}
