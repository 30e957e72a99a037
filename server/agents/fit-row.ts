import { stripVTControlCharacters } from 'node:util';

const ESCAPE = new RegExp(`(${String.fromCharCode(27)}\\[[0-9;]*m)`);

/** A row of a terminal with at most `width` characters: the last one is `…` where more followed. Colours stay as they are. */
export function cutRow(row: string, width: number): string {
  if (stripVTControlCharacters(row).length <= width) return row;
  let room = width - 1;
  let text = '';
  for (const piece of row.split(ESCAPE)) {
    if (ESCAPE.test(piece)) {
      text += piece;
      continue;
    }
    if (room > 0 && piece.length > room) text += `${piece.slice(0, room)}…`;
    else if (room > 0) text += piece;
    room -= piece.length;
    if (room === 0 && piece !== '') text += '…';
  }
  return text;
}
