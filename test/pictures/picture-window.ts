import { join } from 'node:path';
import { CodeWindow } from '../ui/support/code-window';

const SETTINGS = {
  'window.title': 'Forklens',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
};

export const SIZE = { width: 1280, height: 800 };

export const pictureFile = (name: string): string =>
  join(__dirname, '../../media/screenshots', name);

/** Opens a window of the size of the README's pictures for the work, and closes it after. */
export async function withPictureWindow(work: (code: CodeWindow) => Promise<void>): Promise<void> {
  const code = await CodeWindow.open(SETTINGS);
  try {
    await code.page.setViewportSize(SIZE);
    await work(code);
  } catch (error) {
    await code.screenshot('failed-picture');
    throw error;
  } finally {
    await code.close();
  }
}

/** @returns a picture of the window, as PNG */
export async function pictureOf({ page }: CodeWindow): Promise<Buffer> {
  await page.mouse.move(SIZE.width / 2, SIZE.height - 60); // away from what shows a hover
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}
