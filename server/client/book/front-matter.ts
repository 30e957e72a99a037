import * as l10n from '@vscode/l10n';
import { BookError, type Book } from './book';
import { linesOf } from './fences';

/** Version of the format. */
const VERSION = '1';
const MAX_LINES = 50;
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n/;
const END = /^---[ \t]*(?:\r?\n|$)/;
const ENTRY = /^(?:[A-Za-z][\w-]*:.*|#.*|[ \t]*)\r?\n$/;
const NETWORK = /^(?:fork|chain):/;

/** Front matter at the start of a file, with its marks; empty if there is none: a rule of Markdown also starts with `---`. */
export function frontMatterOf(text: string): string {
  const [start] = FRONT_MATTER.exec(text) ?? [];
  if (start === undefined) return '';
  let at = start.length;
  for (let line = 0; line < MAX_LINES; line++) {
    const end = text.indexOf('\n', at) + 1 || text.length;
    const shown = text.slice(at, end);
    at = end;
    if (END.test(shown)) return text.slice(0, at);
    if (!ENTRY.test(shown)) return '';
  }
  return '';
}

/**
 * The chain (slug) or fork (id) that a book is bound to.
 * @throws BookError if it names none, several, or was written by a newer version
 */
export function networkOf(head: string): string {
  const entries = [...head.matchAll(/^([\w-]+):[ \t]*(.*?)[ \t]*\r?$/gm)].map(
    ([, key = '', value = '']) => ({ key, value }),
  );
  const version = entries.find(({ key }) => key === 'forklens-book')?.value ?? VERSION;
  if (version !== VERSION) {
    throw new BookError(
      l10n.t(
        'The book has version "{0}" of the format; this version of Forklens reads version {1}.',
        version,
        VERSION,
      ),
    );
  }
  const networks = entries.filter(({ key }) => key === 'fork' || key === 'chain');
  const [network, ...others] = networks;
  if (network === undefined || others.length > 0) {
    throw new BookError(
      network === undefined
        ? l10n.t('The book is bound to no fork or chain: run "Bind to Another Fork…".')
        : l10n.t('The book names {0} forks or chains, but takes one.', networks.length),
    );
  }
  const form = network.key === 'fork' ? /^fork_\w{1,64}$/ : /^(?!fork_)[\w.-]{1,64}$/;
  if (form.test(network.value)) return network.value;
  throw new BookError(
    network.key === 'fork'
      ? l10n.t('fork: got "{0}", takes the id of a fork, such as fork_….', network.value)
      : l10n.t('chain: got "{0}", takes the name of a chain, such as sandbox.', network.value),
  );
}

/** Front matter that binds a book to a chain (slug) or fork (id), and keeps all other entries. */
export function boundTo(network: string, { head, eol }: Pick<Book, 'head' | 'eol'>): string {
  const entry = `${network.startsWith('fork_') ? 'fork' : 'chain'}: ${network}${eol}`;
  if (head === '') return `---${eol}forklens-book: ${VERSION}${eol}${entry}---${eol}`;
  const lines = linesOf(head);
  const found = lines.findIndex((line) => NETWORK.test(line));
  const at = found === -1 ? lines.length - 1 : found;
  const isKept = (line: string): boolean => !NETWORK.test(line);
  return [...lines.slice(0, at).filter(isKept), entry, ...lines.slice(at).filter(isKept)].join('');
}
