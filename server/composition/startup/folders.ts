import { homedir } from 'node:os';
import { resolve } from 'node:path';

/** The shell replaces `~` only at the start of a word. */
export const toFolder = (text: string): string => resolve(text.replace(/^~(?=$|[/\\])/, homedir()));

/** @param text folders separated by commas */
export const toFolders = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map(toFolder);
