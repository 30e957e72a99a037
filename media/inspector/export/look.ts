import type { Look } from '../protocol/protocol';

const THEME_CLASSES = [
  'vscode-dark',
  'vscode-light',
  'vscode-high-contrast',
  'vscode-high-contrast-light',
];

/** The current theme, so that a saved page looks the same outside the editor. */
export function currentLook(): Look {
  const { style } = document.documentElement;
  const names = Array.from(style).filter((name) => name.startsWith('--vscode-'));
  return {
    variables: Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)])),
    bodyClasses: THEME_CLASSES.filter((name) => document.body.classList.contains(name)),
  };
}
