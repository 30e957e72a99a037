import type { StoryEntry } from './plan';

/** The story as text: block, position, id and hash of each transaction, then its title and what it shows. */
export function renderStory(story: readonly StoryEntry[], dim: (text: string) => string): string {
  const place = ({ blockNumber, position }: StoryEntry) => `${blockNumber}:${position}`;
  const placeWidth = Math.max(...story.map((entry) => place(entry).length));
  const idWidth = Math.max(...story.map(({ id }) => id.length));
  const indent = ' '.repeat(placeWidth + 2);
  return story
    .map((entry) => {
      const head = `${place(entry).padStart(placeWidth)}  ${entry.id.padEnd(idWidth)}  ${entry.hash}`;
      const mark = entry.fails ? ' (fails on purpose)' : '';
      return `${head}\n${indent}${entry.title}${mark}.\n${indent}${dim(entry.shows)}`;
    })
    .join('\n');
}
