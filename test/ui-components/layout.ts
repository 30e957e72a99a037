import assert from 'node:assert/strict';
import path from 'node:path';
import { TABS } from '../../media/inspector/protocol/protocol';
import { messagesOfParts, sandboxParts } from './fixtures';
import type { InspectorPage } from './inspector-page';
import { THEMES, type Theme } from './themed-page';
import type { Inspectors } from './use-inspectors';

const SCREENSHOTS = path.resolve(__dirname, '../output/screenshots/inspector');
/** In pixels: a narrow panel, half a window, a panel beside the side bar, a window. */
const WIDTHS = [400, 800, 1000, 1600] as const;

interface Look {
  theme: Theme;
  width: number;
  /** Overflow depends on the width, contrast on the theme: each of them is in a quick test once, the other pairs are in long ones. */
  isLong: boolean;
}
export const LOOKS: readonly Look[] = THEMES.flatMap((theme) =>
  WIDTHS.map((width) => ({ theme, width, isLong: theme !== 'dark' && width !== 400 })),
);

/** Elements that overflow, and violations that axe-core finds. */
export async function layoutFaults(inspector: InspectorPage): Promise<string[]> {
  return [...(await inspector.overflows()), ...(await inspector.accessibilityFaults())];
}

/** A test of every view in a theme at a width, which saves a screenshot of each. */
export function hasNoFault(inspectors: Inspectors, { theme, width }: Look): void {
  it(`has no fault at ${width} px in ${theme}`, async () => {
    const inspector = await inspectors.open({ theme, width });
    const { page } = inspector;
    const check = async (name: string): Promise<void> => {
      const file = path.join(SCREENSHOTS, `${name}-${theme}-${width}.png`);
      await page.screenshot({ path: file, animations: 'disabled' });
      assert.deepEqual(await layoutFaults(inspector), [], name);
    };
    for (const name of ['flash-loan', 'caught-revert'] as const) {
      await inspector.post(...messagesOfParts(sandboxParts(name)));
      for (const tab of TABS) {
        await inspector.tab(tab);
        await check(`${name}-${tab}`);
      }
    }
    for (const name of ['failed-mint', 'swap-two-hops'] as const) {
      await inspector.post(...messagesOfParts(sandboxParts(name)));
      await inspector.tab('overview');
      await check(`${name}-overview`);
    }
  });
}
