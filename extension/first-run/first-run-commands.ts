import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod';
import { runCommandLine } from '../service/command-line';
import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import { pick } from '../ui/quick-input';

/** Must equal the walkthrough's id in the manifest. */
const WALKTHROUGH = 'start';

/** A transaction of the built-in chain, as printed by `sandbox list --json`. */
const storySchema = z.array(
  z.object({
    title: z.string(),
    shows: z.string(),
    hash: z.string(),
    blockNumber: z.int(),
    position: z.int(),
  }),
);

export function firstRunCommands(
  { inspector, client }: CommandContext,
  extension: vscode.Extension<unknown>,
): Pick<Commands, 'forklens.openWalkthrough' | 'forklens.analyzeSandboxTransaction'> {
  return {
    'forklens.openWalkthrough': async () => {
      const id = `${extension.id}#${WALKTHROUGH}`;
      await vscode.commands.executeCommand('workbench.action.openWalkthrough', id);
    },

    'forklens.analyzeSandboxTransaction': async () => {
      // Fails early: the user should see a sign-in or service error before choosing.
      await client.call('getAccount', {});
      const list = runCommandLine(extension.extensionUri, ['sandbox', 'list', '--json']);
      const { value } = await pick({
        title: l10n.t('Analyze Sandbox Transaction'),
        placeholder: l10n.t('Transaction of the built-in chain'),
        items: list.then((json) =>
          storySchema
            .parse(JSON.parse(json))
            .map(({ title, shows, hash, blockNumber, position }) => ({
              label: title,
              description: `${blockNumber}:${position}`,
              detail: shows,
              value: hash,
            })),
        ),
      });
      await inspector.open({ chain: 'sandbox', transaction: value });
    },
  };
}
