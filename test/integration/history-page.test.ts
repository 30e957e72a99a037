import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxArtifact } from '../support/artifact';
import { documentText, ROOT } from '../support/documents';
import { useCommandLine } from './cli-suite';

const PAGE = 'server/HISTORY.md';
/** Changed contracts of the sandbox whose artifacts the page names. */
const ARTIFACTS: readonly { name: string; path: string; old: string; changed: string }[] = [
  {
    name: 'DollarVault',
    path: 'out/DollarVault.sol/DollarVault.json',
    old: 'return uint256(answer);',
    changed: 'return uint256(answer) * 10 ** (18 - feed.decimals());',
  },
  {
    name: 'UpgradeableTokenV2',
    path: 'out/UpgradeableToken.sol/UpgradeableTokenV2.json',
    old: 'address public owner;',
    changed: 'address public minter;\n    address public owner;',
  },
];
const EXAMPLE = /```sh\nforklens ([^\n]+)\n```\n\n```text\n([^]*?)```/g;

/** Words of a command line, with what is in quotation marks as one. */
const words = (line: string): string[] =>
  Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '');

describe(PAGE, function () {
  this.timeout(240_000);
  const suite = useCommandLine();

  it('shows what its examples print', async () => {
    const files = new Map<string, string>();
    for (const { name, path, old, changed } of ARTIFACTS) {
      const { text: artifact } = sandboxArtifact(name, (_, source) => source.replace(old, changed));
      const file = join(suite.home, `${name}.json`);
      await writeFile(file, artifact);
      files.set(path, file);
    }
    let text = documentText(PAGE);
    const examples = [...text.matchAll(EXAMPLE)];
    assert.equal(examples.length, 4);
    for (const [whole, line = '', printed = ''] of examples) {
      const args = words(line).map((word) => files.get(word) ?? word);
      const { stdout } = await suite.cli.run(args);
      const output = `${stdout.trim()}\n`;
      if (process.env['UPDATE_GOLDENS'] === undefined) assert.equal(printed, output);
      else
        text = text.replace(
          whole,
          whole.replace(`text\n${printed}`, () => `text\n${output}`),
        );
    }
    if (process.env['UPDATE_GOLDENS'] !== undefined) await writeFile(join(ROOT, PAGE), text);
  });
});
