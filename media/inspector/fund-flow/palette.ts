import type { Palette } from './scene-svg';

/** Theme colours in the order in which assets receive them, as in `identity.css`: none has a meaning of its own. */
const ASSET_COLOURS = [
  'charts-blue',
  'terminal-ansiMagenta',
  'terminal-ansiCyan',
  'charts-purple',
  'foreground',
] as const;

/** Colours and font of the current theme, resolved for files, which cannot use the theme's variables. */
export function themePalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const variable = (name: string, fallback: string): string =>
    style.getPropertyValue(`--vscode-${name}`).trim() || fallback;
  const text = variable('editor-foreground', 'black');
  return {
    background: variable('editor-background', 'white'),
    text,
    quiet: variable('descriptionForeground', text),
    line: variable('contrastBorder', text),
    assets: ASSET_COLOURS.map((name) => variable(name, text)),
    font: getComputedStyle(document.body).fontFamily,
  };
}

/** Returns a function that measures the width of a text on the graph, in pixels. */
export function textMeasure(): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return (text) => text.length * 7;
  context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  return (text) => context.measureText(text).width;
}
