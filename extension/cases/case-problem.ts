import * as l10n from '@vscode/l10n';
import { attribute, htmlText } from '../../server/client/html';

/** A document without scripts that says why a case file is not opened. @param language BCP 47 */
export function caseProblemHtml(name: string, reason: string, language: string): string {
  const policy = "default-src 'none'; base-uri 'none'; form-action 'none'";
  return `<!DOCTYPE html>
<html lang="${attribute(language)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${attribute(policy)}" />
    <title>${htmlText(name)}</title>
  </head>
  <body>
    <main>
      <h1>${htmlText(l10n.t('The case file "{0}" cannot be opened', name))}</h1>
      <p role="alert">${htmlText(reason)}</p>
    </main>
  </body>
</html>`;
}
