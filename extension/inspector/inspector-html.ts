import * as l10n from '@vscode/l10n';
import { randomBytes } from 'node:crypto';
import {
  attribute,
  htmlStart,
  translationsScript,
  type Translations,
} from '../../server/client/html';

export interface HtmlResources {
  /** `webview.cspSource`. */
  cspSource: string;
  script: string;
  style: string;
  /** Undefined: the texts are English. */
  translations?: Translations | undefined;
}

/**
 * The webview's document: empty, except for translations and the tags that load the inspector. Its content security policy allows scripts
 * by nonce only, styles and the icon font from the extension's own files, and no network, frames or images.
 */
export function inspectorHtml(resources: HtmlResources): string {
  const { cspSource, script, style, translations } = resources;
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `${htmlStart(translations)}
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${attribute(policy)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${attribute(l10n.t('Transaction inspector'))}</title>
    <link rel="stylesheet" href="${attribute(style)}" />
  </head>
  <body>
    ${translationsScript(translations)}
    <script type="module" nonce="${nonce}" src="${attribute(script)}"></script>
  </body>
</html>`;
}
