/** A node that may take a fork. */
export interface Candidate {
  readonly capacity: number;
  readonly engines: number;
  readonly waiting: number;
  /** Forks that it was given and that `engines` does not count yet. */
  readonly placed: number;
}

export const hasRoom = (node: Candidate): boolean => usedOf(node) < node.capacity;

/** @returns the least loaded nodes with room, else the least loaded ones, all with the same load, in their order */
export function leastLoaded<Node extends Candidate>(nodes: readonly Node[]): readonly Node[] {
  const withRoom = nodes.filter(hasRoom);
  const possible = withRoom.length > 0 ? withRoom : nodes;
  const least = Math.min(...possible.map(shareOf));
  return possible.filter((node) => shareOf(node) === least);
}

const usedOf = ({ engines, waiting, placed }: Candidate): number => engines + waiting + placed;

const shareOf = (node: Candidate): number => usedOf(node) / node.capacity;
