import fs from 'node:fs';
import path from 'node:path';
import { sandboxArtifact } from '../support/artifact';
import { sandboxHash } from '../support/sandbox-hashes';
import { useCodeWindow, WORKBENCH_MS } from './support/code-window';

/** Of the sandbox: it owes more than it has since block 15. */
const VAULT = '0x82b769500e34362a76df81150e12c746093d954f';
const ATTACK = sandboxHash('exploit-decimals');
const BOOK = `---
forklens-book: 1
chain: sandbox
---

# The drained vault

\`\`\`yaml forklens-bisect
expression: vault.totalAssets() >= vault.totalOwed()
name: vault=${VAULT}
from: 14
\`\`\`

\`\`\`yaml forklens-regress
address: ${VAULT}
code: out/DollarVault.sol/DollarVault.json
attack: ${ATTACK}
\`\`\`

\`\`\`yaml forklens-regress
address: ${VAULT}
code: out/Missing.json
\`\`\`
`;

describe('a notebook that asks the past', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();

  it('shows when a value changed, and what new code would have done', async () => {
    const code = window();
    const { workspace } = code.workbench;
    const { text } = sandboxArtifact('DollarVault', (_, source) =>
      source.replace('uint256(answer);', 'uint256(answer) * 10 ** (18 - feed.decimals());'),
    );
    fs.mkdirSync(path.join(workspace, 'out/DollarVault.sol'), { recursive: true });
    fs.writeFileSync(path.join(workspace, 'out/DollarVault.sol/DollarVault.json'), text);
    fs.writeFileSync(path.join(workspace, 'past.forklens-book'), BOOK);
    await code.showView();
    await code.openFile('past.forklens-book');
    await code.inspector().getByRole('heading', { name: 'The drained vault' }).waitFor();
    await code.command('Notebook: Run All');
    const shown = (line: string | RegExp) => code.inspector().getByText(line).first().waitFor();
    await shown(/written at DollarVault\.sol:76 in DollarVault\.setFeed/);
    await code.screenshot('notebook-past');
    await code.command('Notebook: Focus Last Cell');
    await shown(`The attack ${ATTACK} stops: withdraw of ${VAULT}: CreditTooLow`);
    await shown('7 of 8 use other gas alone.');
    await shown(/^Code: .*Missing\.json cannot be read\./);
    await code.screenshot('notebook-past-end');
    const attack = code.inspector().getByRole('button', { name: ATTACK });
    await attack.click();
    await shown('latestRoundData');
    await code.screenshot('notebook-past-compare');
  });
});
