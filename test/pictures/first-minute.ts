// `npm run picture`: records the first minute in the real workbench as media/screenshots/first-minute.gif, for the README.
import { writeFileSync } from 'node:fs';
import { encode } from 'modern-gif';
import type { Page } from 'playwright-core';
import type { CodeWindow } from '../ui/support/code-window';
import { pictureFile, pictureOf, SIZE, withPictureWindow } from './picture-window';

const FILE = pictureFile('first-minute.gif');

/** Decodes a PNG in a page of the browser. @returns RGBA, row by row */
async function pixelsOf(page: Page, png: Buffer): Promise<Uint8Array<ArrayBuffer>> {
  const text = await page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    context.drawImage(image, 0, 0);
    const { data: bytes } = context.getImageData(0, 0, image.width, image.height);
    let binary = '';
    for (let at = 0; at < bytes.length; at += 32_768) {
      binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
    }
    return btoa(binary);
  }, png.toString('base64'));
  return Buffer.from(text, 'base64');
}

/** The story, with a picture after each step. */
async function record(code: CodeWindow, take: (seconds: number) => Promise<void>): Promise<void> {
  await code.showView();
  await code.row('default').waitFor();
  await take(1.5);

  await code.page.keyboard.press('F1');
  const input = code.quickInput.locator('input.input');
  await input.fill('>Analyze Sandbox');
  const command = code.quickInput.locator('.monaco-list-row', { hasText: 'Analyze Sandbox' });
  await command.first().waitFor();
  await take(1.5);
  await command.first().click();
  await code.quickInput.getByPlaceholder('Transaction of the built-in chain').waitFor();
  await code.quickInput.locator('.monaco-list-row', { hasText: 'HBR to Bob' }).first().waitFor();
  await take(1.5);
  await input.fill('two pools');
  await code.quickInput.locator('.monaco-list-row', { hasText: 'Carol earns' }).first().click();
  const inspector = code.inspector();
  await inspector.getByText('Arbitrageur borrowed 2,000 hUSD').waitFor();
  await take(3);
  await inspector.getByRole('tab', { name: /Call tree/ }).click();
  await inspector.getByRole('treeitem').first().waitFor();
  await take(3);
  await inspector.getByRole('tab', { name: /Balance changes/ }).click();
  await inspector.locator('.grid-row').first().waitFor();
  await take(2.5);
  await inspector.getByRole('tab', { name: /Fund flow/ }).click();
  await inspector.locator('.arrow').first().waitFor();
  await take(2.5);

  await code.command('Forklens: Create Fork…');
  await code.quickInput.getByPlaceholder(/^Chain to fork/).waitFor();
  await take(1.5);
  await code.createSandboxFork('my first fork');
  await code.row(/my first fork.*running/).waitFor();
  await take(4);
}

void withPictureWindow(async (code) => {
  const decoder = await code.page.context().newPage();
  await code.page.bringToFront();
  const frames: { data: Uint8Array<ArrayBuffer>; delay: number }[] = []; // RGBA, milliseconds
  await record(code, async (seconds) => {
    const data = await pixelsOf(decoder, await pictureOf(code));
    frames.push({ data, delay: seconds * 1000 });
  });
  const gif = await encode({ ...SIZE, frames, format: 'arrayBuffer' });
  writeFileSync(FILE, new Uint8Array(gif));
  console.log(`${FILE}: ${frames.length} frames, ${Math.ceil(gif.byteLength / 1000)} kB`);
});
