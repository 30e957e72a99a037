import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxArtifact } from '../support/artifact';
import { documentText, ROOT } from '../support/documents';
import { useCommandLine } from './cli-suite';

const PAGE = 'server/HISTORY.md';
const ARTIFACT = 'out/DollarVault.sol/DollarVault.json';
const EXAMPLE = /```sh\nforklens ([^\n]+)\n```\n\n```text\n([^]*?)```/g;

/** Words of a command line, with what is in quotation marks as one. */
const words = (line: string): string[] =>
  Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '');

describe(PAGE, function () {
  this.timeout(240_000);
  const suite = useCommandLine();

  it('shows what its examples print', async () => {
    const { text: artifact } = sandboxArtifact('DollarVault', (file, source) =>
      file === 'DollarVault.sol'
        ? source.replace(
            'return uint256(answer);',
            'return uint256(answer) * 10 ** (18 - feed.decimals());',
          )
        : source,
    );
    const file = join(suite.home, 'DollarVault.json');
    await writeFile(file, artifact);
    let text = documentText(PAGE);
    const examples = [...text.matchAll(EXAMPLE)];
    assert.equal(examples.length, 3);
    for (const [whole, line = '', printed = ''] of examples) {
      const args = words(line).map((word) => (word === ARTIFACT ? file : word));
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
