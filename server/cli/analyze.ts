import type { Command } from 'commander';
import pico from 'picocolors';
import { printAnalysis } from '../agents/print-analysis';
import { invalidField } from '../api/errors';
import { hashSchema } from '../api/primitives';
import { connectionOptions, openClient, type ConnectionFlags } from './connection';

interface AnalyzeOptions extends ConnectionFlags {
  rows: number;
  proof?: string;
}

/** `analyze`: the call tree and the balance changes of a transaction, asked of a running service. */
export function registerAnalyze(program: Command): void {
  const command = program
    .command('analyze')
    .description('print the call tree and the balance changes of a transaction')
    .argument('<chain>', 'slug of a chain, or id of a fork')
    .argument('<hash>', 'of the transaction')
    .option('--rows <number>', 'rows of the call tree at the most', Number, 500)
    .option('--proof <wait>', 'wait: print what is proved, not the first answer')
    .action(async (chain: string, hash: string, { rows, proof, ...flags }: AnalyzeOptions) => {
      const { dataDir } = program.opts<{ dataDir: string }>();
      const transaction = hashSchema.safeParse(hash);
      if (!transaction.success) throw invalidField('hash', hash, '0x and 64 hex digits');
      if (!Number.isInteger(rows) || rows < 1) {
        throw invalidField('--rows', rows, 'a whole number of at least 1');
      }
      if (proof !== undefined && proof !== 'wait') throw invalidField('--proof', proof, 'wait');
      const client = openClient(dataDir, flags);
      console.log(
        await printAnalysis(client, chain, transaction.data, {
          ...{ colors: pico, maxRows: rows, isProofAwaited: proof === 'wait' },
        }),
      );
    });
  for (const option of connectionOptions()) command.addOption(option);
}
