import { Option, type Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pico from 'picocolors';
import { createApiClient } from '../api/client';
import { invalidField } from '../api/errors';
import { hashSchema } from '../api/primitives';
import { printAnalysis } from './print-analysis';

interface AnalyzeOptions {
  url: string;
  key?: string;
  rows: number;
}

/** `analyze`: the call tree and the balance changes of a transaction, asked of a running service. */
export function registerAnalyze(program: Command): void {
  program
    .command('analyze')
    .description('print the call tree and the balance changes of a transaction')
    .argument('<chain>', 'slug of a chain, or id of a fork')
    .argument('<hash>', 'of the transaction')
    .addOption(
      new Option('--url <url>', 'of the service')
        .env('FORKLENS_URL')
        .default('http://127.0.0.1:8787'),
    )
    .addOption(
      new Option('--key <key>', 'access key (default: that of --local-user)').env(
        'FORKLENS_ACCESS_KEY',
      ),
    )
    .option('--rows <number>', 'rows of the call tree at the most', Number, 500)
    .action(async (chain: string, hash: string, { url, key, rows }: AnalyzeOptions) => {
      const { dataDir } = program.opts<{ dataDir: string }>();
      const transaction = hashSchema.safeParse(hash);
      if (!transaction.success) throw invalidField('hash', hash, '0x and 64 hex digits');
      if (!Number.isInteger(rows) || rows < 1) {
        throw invalidField('--rows', rows, 'a whole number of at least 1');
      }
      const accessKey = key ?? (await localUserKey(dataDir));
      const client = createApiClient(() => Promise.resolve({ baseUrl: url, accessKey }));
      console.log(
        await printAnalysis(client, chain, transaction.data, { colors: pico, maxRows: rows }),
      );
    });
}

/** Undefined where the service does not run with `--local-user`; it then says that a key is missing. */
async function localUserKey(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, 'access-key'), 'utf8').catch(() => undefined);
  return text?.trim();
}
