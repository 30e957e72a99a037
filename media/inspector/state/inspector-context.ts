import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FromWebview } from '../protocol/protocol';
import type { InspectorState } from './state';

/** Shared by all components: the state, and the connection to the host. */
export interface Inspector {
  state: InspectorState;
  post: (message: FromWebview) => void;
}

export const InspectorContext = createContext<Inspector | undefined>(undefined);

export function useInspector(): Inspector {
  const inspector = useContext(InspectorContext);
  if (!inspector) throw new Error('used outside of an inspector');
  return inspector;
}
