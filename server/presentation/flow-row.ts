import type { FlowNode } from '../api/explorer';

/** A call or an event. `depth` 0 is the top call; an event has the depth of its frame plus 1. */
export type FlowRow = FlowNode & { depth: number };
