import type { FrameLocator } from 'playwright-core';

/** Shows the call tree. @returns the screen reader texts of its rows in view, from top to bottom */
export async function callTree(inspector: FrameLocator): Promise<string[]> {
  await inspector.getByRole('tab', { name: /Call tree/ }).click();
  const rows = inspector.locator('[role=treeitem]');
  await rows.first().waitFor();
  return rows.evaluateAll((all) =>
    all
      .sort((a, b) => Number(a.dataset['index']) - Number(b.dataset['index']))
      .map((row) => row.querySelector('.spoken')?.textContent ?? ''),
  );
}
