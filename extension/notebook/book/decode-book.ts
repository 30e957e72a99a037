import * as l10n from '@vscode/l10n';
import { BookError, type Book } from '../../../server/client/book/book';
import { parseBook } from '../../../server/client/book/parse-book';

/** Larger files stay as they are: an editor shows why they do not open. */
const MAX_BYTES = 4 * 1024 * 1024;

/** @throws BookError if the file is too large or no UTF-8, so that saving it would lose something */
export function decodeBook(bytes: Uint8Array): Book {
  if (bytes.length > MAX_BYTES) {
    throw new BookError(
      l10n.t('The book has {0} bytes; books of up to {1} bytes open.', bytes.length, MAX_BYTES),
    );
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BookError(l10n.t('The book is not UTF-8 text.'));
  }
  return parseBook(text);
}
