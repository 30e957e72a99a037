import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type axeCore from 'axe-core';
import type { Frame, Page } from 'playwright-core';

const ROOT = path.resolve(__dirname, '../..');
const AXE = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');
const TYPES = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf' } as const;

/** Origin of the bundles and of the document that loads them. */
export const ORIGIN = 'https://inspector.test';

declare global {
  var axe: typeof axeCore;
}

/** Styles that VS Code inserts into every webview before the extension's own styles. */
const DEFAULT_STYLES = `@layer vscode-default {
  body { background-color: transparent; color: var(--vscode-editor-foreground); font-family: var(--vscode-font-family);
    font-weight: var(--vscode-font-weight); font-size: var(--vscode-font-size); margin: 0; padding: 0 20px; } }
  html { background: var(--vscode-editor-background); scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }`;

export const THEMES = ['dark', 'light', 'hc-dark', 'hc-light'] as const;
export type Theme = (typeof THEMES)[number];
interface Look {
  bodyClass: string;
  variables: Record<string, string>;
}
/** Variables and classes that VS Code's built-in themes set in a webview, limited to those that our styles use. */
const themes = JSON.parse(
  readFileSync(path.join(ROOT, 'test/fixtures/inspector/themes.json'), 'utf8'),
) as Record<Theme, Look>;

/** A document with VS Code's additions: theme variables and default styles before the policy, a class on the body. */
export function themedHtml(document: string, theme: Theme): string {
  const { variables, bodyClass } = themes[theme];
  const style = Object.entries(variables)
    .map(([name, value]) => `${name}: ${value.replaceAll('"', "'")}`)
    .join('; ');
  return document
    .replace('<html ', `<html style="${style}" `)
    .replace('<head>', `<head><style>${DEFAULT_STYLES}</style>`)
    .replace('<body>', `<body class="${bodyClass}">`);
}

/** Serves a document and the bundles of `dist` beside it. */
export async function serveBundles(page: Page, document: string): Promise<void> {
  await page.route(`${ORIGIN}/**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    if (name === '') return route.fulfill({ contentType: 'text/html', body: document });
    const contentType = TYPES[path.extname(name).slice(1) as keyof typeof TYPES];
    return route.fulfill({ contentType, body: readFileSync(path.join(ROOT, 'dist', name)) });
  });
}

/** Violations that axe-core finds in a frame and its frames, one line for each rule, with the first element. @param within a selector */
export async function axeFindings(frame: Frame, within = 'html'): Promise<string[]> {
  for (const one of [frame, ...frame.childFrames()]) await one.evaluate(AXE);
  return frame.evaluate(async (place) => {
    const { violations } = await window.axe.run(place, { resultTypes: ['violations'] });
    return violations.map(
      ({ id, help, nodes }) => `${id}: ${help} (${nodes.length}, ${nodes[0]?.html ?? ''})`,
    );
  }, within);
}
