import type { Page } from 'playwright-core';

/** The cells of the table of parties, row by row. */
export const partyRows = (page: Page): Promise<string[][]> =>
  page
    .locator('.party-table tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.children].map((cell) =>
          (cell as HTMLElement).innerText.replaceAll(/\s+/g, ' ').trim(),
        ),
      ),
    );
