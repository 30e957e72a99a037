import * as l10n from '@vscode/l10n';
import { HARDFORKS, type Hardfork } from '../../server/api/config';
import { pick } from '../ui/quick-input';

/**
 * Asks for the hardfork by whose rules a fork executes a block whose own rules nothing executes. The newest is first.
 * @param reason why the service refused the block, as a sentence
 * @throws UserCancelledError
 */
export async function pickRules(title: string, reason: string): Promise<Hardfork> {
  const rules = HARDFORKS.toReversed().map((value, index) => ({
    label: value,
    ...(index === 0 ? { description: l10n.t('the newest that a fork executes') } : {}),
    value,
  }));
  const why = { label: l10n.t('The rules of the block are not executed'), detail: reason };
  const picked = await pick<Hardfork>({
    title,
    placeholder: l10n.t('Hardfork whose rules the fork executes instead'),
    items: Promise.resolve([...rules, why]),
    isActive: (value) => value === HARDFORKS.at(-1),
  });
  return picked.value;
}
