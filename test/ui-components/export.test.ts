import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import type { Translations } from '../../server/client/html';
import { pageHtml } from '../../server/client/page-html';
import { flowPart } from '../../media/inspector/protocol/analysis-parts';
import type { FromWebview } from '../../media/inspector/protocol/protocol';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { callRow, fixture, flowOf, partMessages, sourceOf, SURROUNDINGS } from './fixtures';
import type { InspectorPage } from './inspector-page';
import { useInspectors } from './use-inspectors';

const DIST = path.resolve(__dirname, '../../dist');
const FORMATS = [
  'Export Markdown Report',
  'Export JSON, as the Service Answers',
  'Export Balance Changes as CSV',
  'Export Transfers as CSV',
  'Export Events as CSV',
  'Export Calls as CSV',
];

type Message<Type> = Extract<FromWebview, { type: Type }>;

async function choose(inspector: InspectorPage, title: string): Promise<void> {
  const { page } = inspector;
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: title }).click();
}

/** Waits until the host has received a message of this type. */
async function sentOf<Type extends FromWebview['type']>(
  inspector: InspectorPage,
  type: Type,
): Promise<Message<Type>> {
  await inspector.page.waitForFunction(
    (wanted) => window.fakeHost.sent.some((message) => message.type === wanted),
    type,
  );
  return (await inspector.sent()).findLast((message) => message.type === type) as Message<Type>;
}

/** Tells the inspector that the parts which it requests now are not available. */
async function failParts(inspector: InspectorPage): Promise<void> {
  for (const part of ['fundFlow', 'stateDiff', 'gasProfile'] as const) {
    await inspector.post({ type: 'failed', part, failure: { code: 0, message: 'not here' } });
  }
}

describe('inspector: export', () => {
  const inspectors = useInspectors();
  let folder: string;
  const opened: Page[] = [];
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.close();
  });
  before(async () => {
    folder = await makeTemporaryDirectory();
  });
  after(() => removeDirectory(folder));

  /** Opens a saved page from the disk, as its user does. Collects the browser's errors. */
  async function openPage(
    inspector: InspectorPage,
    { data, look }: Message<'savePage'>,
    translations?: Translations,
  ): Promise<{ page: Page; problems: string[] }> {
    const read = (name: string): string => readFileSync(path.join(DIST, name), 'utf8');
    const built = { script: read('page.js'), style: read('page.css') };
    const html = pageHtml({ ...built, data, look, translations });
    const file = path.join(folder, 'page.html');
    await writeFile(file, html);
    const page = await inspector.page.context().browser()!.newPage();
    opened.push(page);
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('request', (request) => {
      if (/^(https?|wss?):/.test(request.url())) problems.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);
    return { page, problems };
  }

  it('offers each format, and saves the content under a descriptive name', async () => {
    const inspector = await inspectors.show('swap');
    const { page } = inspector;
    await page.getByRole('button', { name: 'More actions' }).click();
    assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), [
      'Simulate With Changes…',
      'Compare With…',
      'Create Foundry Test…',
      'Save As Case…',
      ...FORMATS,
      'Export HTML Page',
    ]);
    await page.keyboard.press('Escape');
    await choose(inspector, 'Events as CSV');
    const { name, content } = await sentOf(inspector, 'save');
    const { hash } = fixture('swap').flow.transaction;
    assert.equal(name, `eth-${hash.slice(0, 10)}-events.csv`);
    assert.match(content, /^id,contract,contractName,event,/);
    assert.equal(content.trimEnd().split('\r\n').length, 6);
  });

  it('loads the parts that a format needs, and omits those that fail', async () => {
    const inspector = await inspectors.show('swap');
    await choose(inspector, 'Markdown Report');
    await inspector.page.waitForFunction(() =>
      window.fakeHost.sent.some(
        ({ type, ...rest }) => type === 'load' && 'part' in rest && rest.part === 'fundFlow',
      ),
    );
    await failParts(inspector);
    const { content } = await sentOf(inspector, 'save');
    assert.match(content, /^# Succeeded: swapExactTokensForTokens\n/);
    assert.equal(content.includes('## Transfers'), false);
  });

  it('saves a page that shows the analysis without editor and network', async () => {
    const inspector = await inspectors.show('swap', { theme: 'light' });
    await choose(inspector, 'Export HTML Page');
    await failParts(inspector);
    const { page, problems } = await openPage(inspector, await sentOf(inspector, 'savePage'));
    await page.getByRole('tab', { name: /Call tree/ }).click();
    assert.equal(await page.getByRole('treeitem').count(), 16);
    await page.getByRole('tab', { name: /Balance/ }).click();
    await page.getByText('USDC').first().waitFor();
    await page.getByRole('tab', { name: 'State' }).click();
    await page.getByText('This part was not there when the page was saved.').waitFor();
    const background = await page.evaluate(
      () => getComputedStyle(document.documentElement).backgroundColor,
    );
    assert.equal(background, 'rgb(255, 255, 255)');
    await page.getByRole('button', { name: 'More actions' }).click();
    assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), FORMATS);
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Calls as CSV' }).click();
    assert.match((await download).suggestedFilename(), /-calls\.csv$/);
    assert.deepEqual(problems, []);
  });

  it("saves a page with the fork's name, and only the labels of addresses in it", async () => {
    const inspector = await inspectors.show('swap');
    const fork = { name: 'before-exploit', chain: 'eth', blockNumber: 1, position: null };
    const hostContext = { hasExplorer: false, actions: [], fork };
    const flow = flowPart(fixture('swap').flow);
    const stranger = `0x${'9'.repeat(40)}`;
    flow.labels = { ...flow.labels, [stranger]: 'my secret wallet' };
    await inspector.post(
      { type: 'open', source: sourceOf(flow) },
      { type: 'hostContext', hostContext },
      ...partMessages('flow', flow),
      ...partMessages('balanceChange', fixture('swap').balances),
    );
    await choose(inspector, 'Export HTML Page');
    await failParts(inspector);
    const saved = await sentOf(inspector, 'savePage');
    assert.equal(saved.data.includes('my secret wallet'), false);
    const { page } = await openPage(inspector, saved);
    assert.match(await page.locator('.where').innerText(), /^on before-exploit /);
    await page.getByText('UniswapV2Router02').first().waitFor();
  });

  it('saves a page in the language of the editor', async () => {
    const inspector = await inspectors.show('swap');
    await choose(inspector, 'Export HTML Page');
    await failParts(inspector);
    const texts = {
      'Call tree': 'Aufrufbaum',
      '{0} on {1}': '{1}: {0}',
      Success: 'Erfolg </script>',
    };
    const saved = await sentOf(inspector, 'savePage');
    const { page, problems } = await openPage(inspector, saved, { language: 'de', texts });
    await page.getByRole('tab', { name: /^Aufrufbaum/ }).waitFor();
    await page.getByText('Erfolg </script>').waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    assert.deepEqual(problems, []);
  });

  it('escapes untrusted text in a saved page', async () => {
    const inspector = await inspectors.open();
    const hostile =
      '</script><script>document.title="run"</script><!--<script><img src=x onerror=alert(1)>';
    const address = `0x${'b'.repeat(40)}`;
    const rows = [callRow(0, { address, status: false, revertMessage: hostile })];
    const flow = flowOf(rows, { status: false, labels: { [address]: hostile } });
    await inspector.post(
      { type: 'open', source: sourceOf(flow) },
      SURROUNDINGS,
      ...partMessages('flow', flow),
      ...partMessages('balanceChange', { status: false, balanceChange: [] }),
    );
    await choose(inspector, 'Export HTML Page');
    await failParts(inspector);
    const saved = await sentOf(inspector, 'savePage');
    saved.look.variables['--vscode-foreground'] = 'red; } </style><script>alert(1)</script>';
    saved.look.bodyClasses.push('"><script>alert(1)</script>');
    const { page, problems } = await openPage(inspector, saved);
    await page.getByRole('tab', { name: /Call tree/ }).click();
    const text = await page.locator('body').innerText();
    assert.ok(text.includes('</script><script>document.title="run"'), text.slice(0, 500));
    const { hash } = flow.transaction;
    assert.equal(await page.title(), `${hash.slice(0, 6)}…${hash.slice(-4)} on eth`);
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.locator('script').count(), 2);
    assert.deepEqual(problems, []);
  });
});
