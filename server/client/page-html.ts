import * as l10n from '@vscode/l10n';
import { createHash } from 'node:crypto';
import { attribute, htmlStart, jsonScript, translationsScript, type Translations } from './html';

/** The current theme: values of VS Code's colour and font variables, and the body classes for the kind of theme. */
interface PageLook {
  variables: Record<string, string>;
  bodyClasses: string[];
}

interface PageParts {
  /** Code and styles of the page, as built. */
  script: string;
  style: string;
  /** The analysis as JSON. */
  data: string;
  look: PageLook;
  /** Undefined: English texts. */
  translations?: Translations | undefined;
}

/** @throws Error if a text of the build would end its element or open a comment */
function contained(text: string): string {
  if (/<\/(?:script|style)|<!--/i.test(text)) throw new Error('the page cannot hold its own code');
  return text;
}

/** Accepts only plain property values, because themes are untrusted. */
function variablesOf({ variables }: PageLook): string {
  const declarations = Object.entries(variables).filter(
    ([name, value]) => /^--vscode-[\w-]+$/.test(name) && !/[<>{};\\@]|url\(|\/\*/i.test(value),
  );
  return `:root { ${declarations.map(([name, value]) => `${name}: ${value};`).join(' ')} }`;
}

/** Code and styles of a page, checked, and where its content security policy lets them come from. */
export function pageContents({
  script,
  style,
  look,
}: Pick<PageParts, 'script' | 'style' | 'look'>): {
  code: string;
  styles: readonly string[];
  sources: { scripts: readonly string[]; styles: readonly string[] };
} {
  const code = contained(script);
  const styles = [variablesOf(look), contained(style)];
  return { code, styles, sources: { scripts: [hash(code)], styles: styles.map(hash) } };
}

/** A content security policy for a file that is opened without a network. */
export const offlinePolicy = (scripts: readonly string[], styles: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src ${scripts.join(' ')}`,
    `style-src ${styles.join(' ')}`,
    'font-src data:',
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** Source of a policy that allows exactly this text. */
export const hash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The inspector with one analysis, as a single file that a browser opens without a network. Its content security policy allows only its own
 * script and styles by their hashes, the styles' embedded icon font, and images that the script draws.
 */
export function pageHtml({ script, style, data, look, translations }: PageParts): string {
  const { code, styles, sources } = pageContents({ script, style, look });
  const policy = offlinePolicy(sources.scripts, sources.styles);
  const classes = look.bodyClasses.filter((name) => /^vscode-[\w-]+$/.test(name)).join(' ');
  return `${htmlStart(translations)}
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${attribute(l10n.t('Transaction inspector'))}</title>
    ${styles.map((text) => `<style>${text}</style>`).join('\n    ')}
  </head>
  <body class="${classes}">
    ${jsonScript('analysis', data)}
    ${translationsScript(translations)}
    <script>${code}</script>
  </body>
</html>
`;
}
