import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { MenuButton, type MenuItem } from '../components/menu';
import { useInspector } from '../ui-state/inspector-context';
import type { Flow } from '../protocol/protocol';
import { cardOf, type Card } from './card';
import { cardPng } from './card-png';
import { cardMarkdown, cardText } from './card-text';

/** Puts a picture on the clipboard. @returns false where that is not possible, for example without the focus */
async function copyPicture(picture: Blob): Promise<boolean> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ [picture.type]: picture })]);
    return true;
  } catch {
    return false;
  }
}

async function base64Of(picture: Blob): Promise<string> {
  const bytes = new Uint8Array(await picture.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Copies what the first screen says, as a picture, as Markdown, or as a link to the analysis. */
export function CardMenu({ flow }: { flow: Flow }): VNode {
  const { state, post } = useInspector();
  const card = (): Card => cardOf(flow, state);

  async function copyImage(): Promise<void> {
    const picture = await cardPng(cardText(card(), state.names.value));
    if (await copyPicture(picture)) {
      post({ type: 'copied' });
      return;
    }
    const { chain, hash } = flow.transaction;
    const name = `${chain}-${hash === '' ? 'simulation' : hash.slice(0, 10)}.png`;
    post({ type: 'save', name, content: await base64Of(picture), encoding: 'base64' });
  }

  function items(): MenuItem[] {
    const { link = '' } = state.hostContext.value;
    return [
      { title: l10n.t('Copy as Image'), onSelect: () => void copyImage() },
      {
        title: l10n.t('Copy as Markdown'),
        onSelect: () => {
          post({ type: 'copy', text: cardMarkdown(card(), state.names.value, link) });
        },
      },
      {
        title: l10n.t('Copy Link'),
        disabled: link === '' ? l10n.t('Only a sent transaction has a link') : undefined,
        onSelect: () => {
          post({ type: 'copy', text: link });
        },
      },
    ];
  }

  return <MenuButton icon="copy" label={l10n.t('Copy this card')} items={items} />;
}
