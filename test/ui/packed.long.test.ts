import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { processesOf } from '../support/vscode-host/processes';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

const ROOT = path.resolve(__dirname, '../..');
const VSIX = path.join(ROOT, 'test/output/forklens.vsix');
/** Largest size of the file that users download, with the engine inside. */
const MAX_MEGABYTES = 25;

describe('the packed extension', function () {
  this.timeout(WORKBENCH_MS);
  before(() => {
    fs.mkdirSync(path.dirname(VSIX), { recursive: true });
    execFileSync(process.execPath, ['extension/packaging/package.mjs', '--out', VSIX], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  });

  const window = useCodeWindow({}, { vsix: VSIX });
  let code: CodeWindow;

  before(() => {
    code = window();
  });

  it(`has at most ${MAX_MEGABYTES} MB`, () => {
    const megabytes = fs.statSync(VSIX).size / 1e6;
    assert.ok(megabytes <= MAX_MEGABYTES, `${megabytes} MB`);
  });

  it('starts its service on the editor’s Node, with the bundled engine', async () => {
    await code.showView();
    await code.row('default').waitFor();
    const { folder } = code.workbench.server;
    const service = processesOf(folder).find(({ command }) => command.includes('dist/server.js'));
    assert.ok(service?.command.includes(`${folder}/extensions/forklens.forklens-`));
    await code.screenshot('packed');
  });

  it('has a page with its icon and images in the Extensions view', async () => {
    // The page loads its images from the repository, at the tag of this version.
    await code.page.context().route(/\/forklens\/raw\/v[^/]+\//, (route) =>
      route.fulfill({
        path: path.join(
          ROOT,
          route
            .request()
            .url()
            .replace(/^.*\/raw\/[^/]+\//, ''),
        ),
      }),
    );
    await code.command('Extensions: Show Installed Extensions');
    await code.page.locator('.extension-list-item', { hasText: 'Forklens' }).first().click();
    const details = code.page.locator('.extension-editor');
    await details.locator('.name', { hasText: 'Forklens' }).waitFor();
    const widthOf = (image: HTMLImageElement | SVGElement): number =>
      'naturalWidth' in image ? image.naturalWidth : 0;
    assert.equal(await details.locator('.header img').first().evaluate(widthOf), 256);
    const page = code.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    await page.locator('h1', { hasText: 'Forklens' }).waitFor();
    const pictures = page.locator('img');
    await page.locator('img').first().scrollIntoViewIfNeeded();
    const widths = await pictures.evaluateAll((images) =>
      Promise.all(
        images.map(async (image) => {
          await (image as HTMLImageElement).decode();
          return (image as HTMLImageElement).naturalWidth;
        }),
      ),
    );
    assert.deepEqual(widths, [1280, 1280, 1280, 1280, 1280, 1280]);
    await code.screenshot('packed-page');
    await page.locator('h2', { hasText: 'Follow the funds' }).scrollIntoViewIfNeeded();
    await code.screenshot('packed-page-below');
    await code.showView();
  });

  it('analyzes a transaction of the sandbox', async () => {
    await code.command('Forklens: Analyze Sandbox Transaction…');
    await code.choose('Transaction of the built-in chain', /flash loan/i, 'flash');
    await code.inspector().locator('.overview').waitFor();
    const engine = processesOf(code.workbench.server.folder).find(({ command }) =>
      command.includes('/dist/engine/anvil'),
    );
    assert.ok(engine, 'the engine inside the package does not run');
    await code.screenshot('packed-analysis');
  });

  it('creates a fork', async () => {
    await code.command('Forklens: Create Fork…');
    await code.createSandboxFork('packed');
    await code.row('packed').waitFor();
    await code.screenshot('packed-fork');
  });
});
