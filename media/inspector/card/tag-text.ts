import * as l10n from '@vscode/l10n';
import type { PartyTag } from '../model/key-parties';

/** Why an account is in the table, in words. */
export function tagText(tag: PartyTag): string {
  switch (tag) {
    case 'sender':
      return l10n.t('sender');
    case 'receiver':
      return l10n.t('receiver');
    case 'mostGained':
      return l10n.t('gained most');
    case 'gained':
      return l10n.t('gained');
    case 'mostLost':
      return l10n.t('lost most');
    case 'lost':
      return l10n.t('lost');
    case 'lostByValue':
      return l10n.t('lost most by value');
  }
}
