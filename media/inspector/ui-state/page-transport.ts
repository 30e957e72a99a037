import * as l10n from '@vscode/l10n';
import type { PageData } from '../protocol/page-data';
import {
  LIST_OF,
  type FromWebview,
  type PartId,
  type SavedState,
  type StateMessage,
} from '../protocol/protocol';

/** Id of the page's data: JSON in a script element that is not executed. */
const DATA_ID = 'analysis';

function saveFile({ name, content, encoding }: Extract<FromWebview, { type: 'save' }>): void {
  const bytes =
    encoding === 'base64' ? Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0)) : content;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

interface PageTransport {
  /** The position that the page starts at, if it names one. */
  saved: SavedState | undefined;
  post: (message: FromWebview) => void;
  listen: (receive: (message: StateMessage) => void) => void;
}

/** Acts as the host for a page that contains all its data. Offers no actions that need an editor. */
export function connectToPage(): PageTransport {
  const text = document.getElementById(DATA_ID)?.textContent ?? '';
  const { source, parts, fork, tab } = JSON.parse(text) as PageData;
  let receive: (message: StateMessage) => void = () => undefined;

  function deliver(part: PartId): void {
    const value = parts[part] as Record<string, unknown> | undefined;
    if (!value) {
      const message = l10n.t('This part was not there when the page was saved.');
      const failure = { code: 0, message };
      receive({ type: 'failed', part, failure });
      return;
    }
    const { [LIST_OF[part]]: list, ...head } = value;
    const items = list as unknown[];
    // The compiler does not see that part and head belong together.
    receive({ type: 'head', part, head, total: items.length } as unknown as StateMessage);
    if (items.length > 0) receive({ type: 'slice', part, items: JSON.stringify(items) });
  }

  return {
    saved: tab && { version: 2, source, view: { tab } },
    post(message) {
      if (message.type === 'load') {
        const { part } = message;
        queueMicrotask(() => {
          deliver(part);
        });
      } else if (message.type === 'copy') {
        void navigator.clipboard.writeText(message.text);
      } else if (message.type === 'save') {
        saveFile(message);
      }
    },
    listen(receiver) {
      receive = receiver;
      receive({ type: 'open', source });
      const hostContext = { hasExplorer: false, actions: [], isPage: true, ...(fork && { fork }) };
      receive({ type: 'hostContext', hostContext });
    },
  };
}
