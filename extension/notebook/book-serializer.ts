import type * as vscode from 'vscode';
import { decodeBook } from './book/decode-book';
import { writeBook } from '../../server/client/book/write-book';
import { bookOf, notebookOf } from './book-data';

/** @throws BookError if saving the file would lose something */
export const deserializeBook = (bytes: Uint8Array): vscode.NotebookData =>
  notebookOf(decodeBook(bytes));

export const serializeBook = (data: vscode.NotebookData): Uint8Array =>
  new TextEncoder().encode(writeBook(bookOf(data)));
