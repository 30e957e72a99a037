import { randomBytes } from 'node:crypto';

export interface HtmlResources {
  /** `webview.cspSource`. */
  cspSource: string;
  script: string;
  style: string;
}

function attribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}

/**
 * The webview's document: empty, except for what loads the inspector. Its policy starts from nothing: scripts by nonce only,
 * styles and the icon font from the extension's own files, no network, no frames, no images.
 */
export function inspectorHtml({ cspSource, script, style }: HtmlResources): string {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${attribute(policy)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Transaction inspector</title>
    <link rel="stylesheet" href="${attribute(style)}" />
  </head>
  <body>
    <script type="module" nonce="${nonce}" src="${attribute(script)}"></script>
  </body>
</html>`;
}
