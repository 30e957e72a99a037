// `npm run picture`: takes the other pictures of the README in the real workbench, as media/screenshots/*.png.
import { writeFileSync } from 'node:fs';
import type { FrameLocator } from 'playwright-core';
import { call } from '../support/json-rpc';
import { sandboxHash } from '../support/sandbox-hashes';
import type { CodeWindow } from '../ui/support/code-window';
import { pictureFile, pictureOf, withPictureWindow } from './picture-window';

async function take(code: CodeWindow, name: string): Promise<void> {
  writeFileSync(pictureFile(`${name}.png`), await pictureOf(code));
  console.log(pictureFile(`${name}.png`));
}

async function inspect(code: CodeWindow, transaction: string): Promise<FrameLocator> {
  const inspector = await code.analyze(sandboxHash(transaction), 'sandbox');
  await inspector.locator('.overview').waitFor();
  return inspector;
}

async function takeInspector(code: CodeWindow): Promise<void> {
  const swap = await inspect(code, 'swap-two-hops');
  await swap.getByRole('tab', { name: /Call tree/ }).click();
  await swap.getByRole('treeitem').first().waitFor();
  await take(code, 'inspector-call-tree');
  await swap.getByRole('tab', { name: /Balance changes/ }).click();
  await swap.locator('.grid-row').first().waitFor();
  await take(code, 'inspector-balance-changes');
  await swap.getByRole('tab', { name: /Fund flow/ }).click();
  await swap.locator('.arrow').first().waitFor();
  await take(code, 'inspector-fund-flow');
  const failed = await inspect(code, 'custom-error-three-deep');
  await failed.getByRole('tab', { name: /Call tree/ }).click();
  await failed.getByRole('treeitem').first().waitFor();
  await take(code, 'inspector-reverted');
}

async function takeSideBar(code: CodeWindow): Promise<void> {
  const rpc = await code.forkSandbox('before-the-swap');
  const [from, to] = await call<string[]>(rpc, 'eth_accounts');
  await call(rpc, 'eth_sendTransaction', { from, to, value: '0xde0b6b3a7640000' });
  await code.row('before-the-swap').click();
  await code.row('native transfer').waitFor();
  await code.contextMenu(code.row('before-the-swap'), 'Create Snapshot…');
  await code.answer('Name of the snapshot', 'funded');
  await code.row(/Snapshots\s*2/).click();
  await code.row('funded').waitFor();
  await code.dismissToasts();
  await take(code, 'sidebar');
}

void withPictureWindow(async (code) => {
  await code.showView();
  await code.row('default').waitFor();
  await takeInspector(code);
  await takeSideBar(code);
});
