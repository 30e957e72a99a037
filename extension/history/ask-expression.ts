import * as l10n from '@vscode/l10n';
import { CONTRACT_LIMITS } from '../../server/api/schema-limits';
import { enterText, pick } from '../ui/quick-input';

/** Asks what is looked at. @param address whose parts are offered @throws UserCancelledError */
export async function askExpression(title: string, address: string | undefined): Promise<string> {
  if (address !== undefined) {
    const parts = [
      { label: l10n.t('Balance'), value: `${address}.balance` },
      { label: l10n.t('Code'), value: `${address}.codehash` },
      { label: l10n.t('Nonce'), value: `nonce(${address})` },
    ];
    const { value } = await pick({
      title,
      placeholder: l10n.t('What changed'),
      items: Promise.resolve([
        ...parts.map((one) => ({ label: one.label, description: one.value, value: one.value })),
        {
          label: l10n.t('A state variable or view function…'),
          description: l10n.t('an expression in Solidity'),
          value: '',
        },
      ]),
    });
    if (value !== '') return value;
  }
  const prompt = l10n.t('Expression in Solidity over the state, such as owner or 0x….balance');
  return enterText({
    title,
    value: '',
    prompt,
    placeholder: address === undefined ? '0x….balanceOf(0x…)' : 'totalSupply()',
    validate: (text) =>
      text.trim() === '' || text.length > CONTRACT_LIMITS.expressionLength ? prompt : undefined,
  });
}
