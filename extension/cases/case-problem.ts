import * as l10n from '@vscode/l10n';
import { attribute } from '../../server/client/html';

/** A document without scripts that says why a case file is not opened. @param language BCP 47 */
export function caseProblemHtml(name: string, reason: string, language: string): string {
  const policy = "default-src 'none'; base-uri 'none'; form-action 'none'";
  return `<!DOCTYPE html>
<html lang="${attribute(language)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${attribute(policy)}" />
    <title>${text(name)}</title>
  </head>
  <body>
    <main>
      <h1>${text(l10n.t('The case file "{0}" cannot be opened', name))}</h1>
      <p role="alert">${text(reason)}</p>
    </main>
  </body>
</html>`;
}

/** Text of a stranger, made inert for a document. */
const text = (raw: string): string => attribute(raw).replace(/>/g, '&gt;');
