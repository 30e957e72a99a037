import * as l10n from '@vscode/l10n';
import { createHash } from 'node:crypto';
import { attribute, htmlStart, jsonScript, translationsScript, type Translations } from './html';

/** The theme in force: values of VS Code's colour and font variables by name, and the classes of the body that tell its kind. */
interface PageLook {
  variables: Record<string, string>;
  bodyClasses: string[];
}

interface PageParts {
  /** Code and styles of the page, as they are built. */
  script: string;
  style: string;
  /** The analysis as JSON. */
  data: string;
  look: PageLook;
  /** Undefined: the texts are English. */
  translations?: Translations | undefined;
}

/** @throws where a text of the build would end the element that holds it, or open a comment in it */
function contained(text: string): string {
  if (/<\/(?:script|style)|<!--/i.test(text)) throw new Error('the page cannot hold its own code');
  return text;
}

/** Only what is plainly the value of a property: a theme is the work of strangers. */
function variablesOf({ variables }: PageLook): string {
  const declarations = Object.entries(variables).filter(
    ([name, value]) => /^--vscode-[\w-]+$/.test(name) && !/[<>{};\\@]|url\(|\/\*/i.test(value),
  );
  return `:root { ${declarations.map(([name, value]) => `${name}: ${value};`).join(' ')} }`;
}

const hash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The inspector with one analysis as a single file that a browser opens without a network. Its policy allows its own script and
 * styles by their hashes, the icon font that the styles hold, pictures that the script draws, and nothing else.
 */
export function pageHtml({ script, style, data, look, translations }: PageParts): string {
  const code = contained(script);
  const styles = [variablesOf(look), contained(style)];
  const policy = [
    "default-src 'none'",
    `script-src ${hash(code)}`,
    `style-src ${styles.map(hash).join(' ')}`,
    'font-src data:',
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
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
