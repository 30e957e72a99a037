import assert from 'node:assert/strict';
import path from 'node:path';
import { messagesOfParts, sandboxParts, type SandboxFixture } from './fixtures';
import { useInspectors } from './use-inspectors';

const SCREENSHOTS = path.resolve(__dirname, '../output/screenshots/first-screen');

/** What happened, why, and who gained, as the first screen says it. */
const SCREENS: Partial<Record<SandboxFixture, readonly string[]>> = {
  'swap-two-hops': [
    'alice swapped 1,000 HBR for 0.493567275176201372 WETH on 2 pools.',
    'alice sender −1,000 HBR −$2,000.00',
    '+0.493567… WETH +$2,023.75',
    'HBR/hUSD pool +1,000 HBR +$2,000.00',
    '−1,990.031876 hUSD −$1,990.03',
    'hUSD/WETH pool +1,990.031876 hUSD +$1,990.03',
    '−0.493567… WETH −$2,023.75',
  ],
  'failed-mint': [
    'mallory tried to mint 1,000 GOLD, and failed.',
    'The owner is carol, but the caller was mallory. Proved: read from the state before the transaction',
    'GOLD code, version 2.mint failed: NotOwner(caller: mallory)',
    'then GOLD (proxy).mint failed: NotOwner(caller: mallory)',
  ],
  'flash-loan': [
    'carol gained 69.975445 hUSD by a flash loan and two swaps.',
    'Flash loan: Arbitrageur borrowed 2,000 hUSD from Flash lender and gave it back step 1, step 2, step 3',
    'carol sender +69.975445 hUSD +$69.98',
    'HBR/hUSD pool +2,000 hUSD +$2,000.00',
    '−999.387879… HBR −$1,998.78',
    'HBR/hUSD side pool +999.387879… HBR +$1,998.78',
    '−2,071.775445 hUSD −$2,071.78',
  ],
  'exploit-reentrancy': [
    'mallory gained 10 ETH by reentrancy.',
    "Reentrancy: Mallory's thief called Ether vault again while it was paid, and was paid again: 12 ETH in all step 1, step 2, step 3, step 4",
    'mallory sender, largest gain +10 ETH +$41,002.50',
    'Ether vault largest loss −10 ETH −$41,002.50',
  ],
  'approval-phish': [
    'alice gave mallory unlimited approval for HBR.',
    'Approval to an account: mallory is not a contract, and can take any amount of HBR from alice at any time step 1, step 2',
  ],
  'proxy-upgrade': [
    'deployer upgraded GOLD (proxy) to GOLD code, version 2.',
    'Code changed: GOLD (proxy) now runs GOLD code, version 2 step 1, step 2',
  ],
};

describe('inspector: first screen', () => {
  const inspectors = useInspectors();

  for (const width of [800, 1280]) {
    for (const theme of ['dark', 'light'] as const) {
      it(`says what happened, why, and who gained, at ${width} px in ${theme}`, async () => {
        const height = 620;
        const inspector = await inspectors.open({ theme, width, height });
        const { page } = inspector;
        for (const [name, lines] of Object.entries(SCREENS)) {
          await inspector.post(...messagesOfParts(sandboxParts(name as SandboxFixture)));
          const shown = page.locator('h1, .story li, .highlights li, .party-table tbody tr');
          const texts = await shown.allInnerTexts();
          assert.deepEqual(
            texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()),
            lines,
            name,
          );
          const box = await shown.last().boundingBox();
          assert.ok(box && box.y + box.height < height, `${name} is below the screen`);
          assert.equal(await page.getByRole('tab').count(), 7);
          assert.ok(await page.getByRole('tab', { name: 'Gas' }).isVisible(), name);
          assert.deepEqual(await inspector.overflows(), [], name);
          const file = path.join(SCREENSHOTS, `${name}-${theme}-${width}.png`);
          await page.screenshot({ path: file, animations: 'disabled' });
        }
      });
    }
  }
});
