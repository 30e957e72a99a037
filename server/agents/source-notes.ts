import type { SourceLocations } from '../api/source-locations';

/** Notes for the nodes of a call tree: file and line of the failure, else of the call site, else of the function. */
export function sourceNotes({ locations }: SourceLocations): (id: number) => string {
  const notes = new Map(
    locations.map(({ nodeId, callSite, function: declared, failure }) => {
      const place = failure ?? callSite ?? declared;
      return [nodeId, place === undefined ? '' : `${place.file}:${place.startLine}`];
    }),
  );
  return (id) => notes.get(id) ?? '';
}
