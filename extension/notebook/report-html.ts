import * as l10n from '@vscode/l10n';
import { attribute, htmlStart, type Translations } from '../../server/client/html';
import { PAGE_LOOK } from '../../server/client/page-look';
import { hash, offlinePolicy, pageContents, pageHtml } from '../../server/client/page-html';
import { notRun, outputMarkdown, sourceMarkdown, type ReportCell } from './book/report-cells';

interface ReportParts {
  title: string;
  cells: readonly ReportCell[];
  /** Renders Markdown as HTML. Its scripts, styles and links to other files do not count. */
  render: (markdown: string) => Promise<string>;
  /** Code and styles of the inspector's page, as built. */
  script: string;
  style: string;
  translations: Translations | undefined;
}

const STYLE = `
  body { max-width: 72rem; margin: 0 auto; padding: 2rem 1rem; font: 15px/1.5 system-ui, sans-serif;
    color: var(--vscode-foreground); background: var(--vscode-editor-background); }
  pre { padding: .75rem; overflow: auto; background: rgba(128, 128, 128, .12); }
  code { font-family: ui-monospace, monospace; font-size: .9em; }
  table { border-collapse: collapse; display: block; overflow: auto; }
  th, td { padding: .2rem .6rem; border: 1px solid rgba(128, 128, 128, .4); text-align: left; }
  blockquote { margin: 1rem 0; padding: 0 1rem; border-left: 3px solid #cf222e; }
  iframe { width: 100%; height: 34rem; border: 1px solid rgba(128, 128, 128, .4); }
  @media print { iframe { display: none; } }`;

/** Elements that would load something, leave the file or change what its links mean. */
const ACTIVE = /<(?=\/?(?:meta|base|link|script|style|iframe|frame|object|embed|form)\b)/gi;

/**
 * The book with what its cells show, as one file that a browser opens without a network. Analyses are the inspector's pages, each followed
 * by its text, which is also what is printed.
 */
export async function reportHtml(parts: ReportParts): Promise<string> {
  const { title, cells, translations } = parts;
  const render = async (markdown: string): Promise<string> =>
    (await parts.render(markdown)).replaceAll(ACTIVE, '&lt;');
  const blocks: string[] = [];
  for (const cell of cells) {
    blocks.push(await render(sourceMarkdown(cell)));
    if (cell.kind !== 'markdown' && cell.outputs.length === 0) blocks.push(await render(notRun()));
    for (const output of cell.outputs) {
      const text = await render(outputMarkdown(output));
      if (output.kind !== 'analysis') {
        blocks.push(text);
        continue;
      }
      const { script, style } = parts;
      const data = JSON.stringify(output.page);
      const page = pageHtml({ script, style, data, look: PAGE_LOOK, translations });
      const name = attribute(l10n.t('Analysis of a transaction'));
      blocks.push(`<iframe title="${name}" srcdoc="${attribute(page)}"></iframe>
    <details><summary>${attribute(l10n.t('The analysis as text'))}</summary>${text}</details>`);
    }
  }
  const { styles, sources } = pageContents({ ...parts, look: PAGE_LOOK });
  const policy = offlinePolicy(sources.scripts, [...sources.styles, hash(STYLE)]);
  return `${htmlStart(translations)}
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${attribute(policy)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${attribute(title)}</title>
    <style>${styles[0] ?? ''}</style>
    <style>${STYLE}</style>
  </head>
  <body>
    ${blocks.join('\n    ')}
  </body>
</html>
`;
}
