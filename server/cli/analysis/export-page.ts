import { readFile } from 'node:fs/promises';
import { withOwnLabels } from '../../../media/inspector/export/own-labels';
import type { Exported } from '../../../media/inspector/export/report';
import type { Analysis } from '../../api/views';
import { builtFile } from '../../kernel/files/built-file';
import { pageHtml } from '../../client/page-html';
import { PAGE_LOOK } from '../../client/page-look';

/**
 * The inspector with an analysis, as one file that works in a browser without a network.
 * @throws Error if the build did not create the page
 */
export async function exportPage({ transaction }: Analysis, parts: Exported): Promise<string> {
  const [script, style] = await Promise.all(['page.js', 'page.css'].map(readBuilt));
  const { chain, hash } = transaction;
  const source = { kind: 'transaction', chain, transaction: hash };
  return pageHtml({
    script: script ?? '',
    style: style ?? '',
    data: JSON.stringify({ source, parts: withOwnLabels(parts) }),
    look: PAGE_LOOK,
  });
}

function readBuilt(name: string): Promise<string> {
  const file = builtFile(name);
  if (file === undefined) throw new Error(`dist/${name} is missing; build it: npm run build`);
  return readFile(file, 'utf8');
}
